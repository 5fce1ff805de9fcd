import { expect, test } from 'vitest'
import { type ApiResponse, control, eventually } from '../portal.ts'
import { type Person, payByCard, type SharedAccounts, type Tester } from './subject.ts'

const GOOD_CARD = '5060990000000000027'
const CARD_WITHOUT_FUNDS = '5060990000000000514'

/** A payment left open at the beginning, which the scheduler has to sync by the end. */
export interface OpenPayment {
  person: Person
  id: string
}

/**
 * Defines the tests of verification and payment: check, pay, letter, history, refusals, bulk, limits.
 * @returns `defineSchedulerTest`, which adds a last test. By then, the scheduler should have requeried the first payment.
 */
export function defineMoneyTests(
  tester: Tester,
  { admin, someone }: SharedAccounts,
): { defineSchedulerTest(): void } {
  const { call, callOk, newPerson, accountBy, newCertificate, subject } = tester
  const check = (token: string, certificate_number: string) =>
    call('POST', '/verification/check-certificate', { token, body: { certificate_number } })
  const start = (token: string, certificate_number: string) =>
    callOk('POST', '/verification/process-payment', { token, body: { certificate_number } })
  const readStatus = (token: string, id: string) =>
    call('GET', `/verification/check-verification-status/${id}`, { token })
  const waitForStatus = (token: string, id: string, status: string) =>
    eventually(async () => {
      const { body } = await readStatus(token, id)
      return body.status === status ? body : undefined
    }, `${id} to be ${status}`)
  const setScenario = (scenario: string) => control('scenario', { scenario }, subject())

  let person: Person
  let openPayment: OpenPayment

  test('a payer pays and closes every window, and no callback arrives', async () => {
    person = await newPerson()
    const { certificate_number } = await newCertificate(await admin())
    const started = await start(person.token, certificate_number)
    await setScenario('webhook:drop')
    await payByCard(started, GOOD_CARD)
    await setScenario('')
    openPayment = { person, id: started.transaction_id }
  })

  test('a certificate is checked, paid for by card and confirmed by an official letter', async () => {
    const { token } = person
    const certificate = await newCertificate(await admin())
    const number = certificate.certificate_number
    expect(await check(token, 'UG/1900/NOWHERE')).toMatchObject({
      status: 404,
      body: { code: 'CERTIFICATE_NOT_FOUND' },
    })
    const checked = await check(token, ` ${number.toLowerCase()}`)
    expect(checked.body).toEqual({ status: 'payment_required', certificate: { certificate_number: number } })

    const started = await start(token, number)
    const id: string = started.transaction_id
    expect(started).toMatchObject({ status: 'payment_initiated', currency: 'NGN' })
    expect((await start(token, number)).transaction_id).toBe(id)
    const pending = (await readStatus(token, id)).body
    expect(pending).toMatchObject({ status: 'pending', certificate: null, letter: null })
    expect(await payByCard(started, GOOD_CARD)).toContain('Payment successful')

    const paid = await waitForStatus(token, id, 'paid')
    expect(paid).toMatchObject({
      resolution: 'verified',
      amount_paid: started.amount_paid,
      certificate: { student_name: certificate.student_name },
      letter: { status: 'valid' },
    })
    expect((await callOk('GET', '/verification/history', { token })).history[0]).toMatchObject({
      bpms_transaction_id: id,
      letter: { code: paid.letter.code },
    })
    expect((await check(token, number)).body).toMatchObject({ status: 'already_paid', transaction_id: id })
    expect((await start(token, number)).status).toBe('already_paid')

    const code: string = paid.letter.code
    const checkReply = await callOk('GET', `/letters/${code}`)
    expect(checkReply).toMatchObject({ status: 'valid', certificate_number: number })
    const pdf = await fetch(`${subject().url}/api/letters/${code}.pdf`)
    expect(pdf.headers.get('content-type')).toBe('application/pdf')
    const bytes = new Uint8Array(await pdf.arrayBuffer())
    expect(new TextDecoder('latin1').decode(bytes.slice(0, 5))).toBe('%PDF-')
    const file = new FormData()
    file.append('file', new File([bytes], 'letter.pdf', { type: 'application/pdf' }))
    expect(await callOk('POST', '/letters/check-file', { body: file })).toMatchObject({ result: 'genuine' })
    expect((await call('GET', '/letters/000000000000')).status).toBe(404)
    const publicly = await call('GET', `/verification/public/payment-status/${id}`)
    expect(publicly.body).toMatchObject({ status: 'paid' })

    // A payment of another account gets the same response as one that does not exist.
    const stranger = await someone()
    for (const transactionId of [id, 'CVF000000000000000000000'])
      expect(await readStatus(stranger.token, transactionId)).toMatchObject({
        status: 404,
        body: { code: 'TRANSACTION_NOT_FOUND' },
      })
  })

  test('a declined card leaves the certificate unpaid, and another attempt can start', async () => {
    const { token } = person
    const { certificate_number } = await newCertificate(await admin())
    const started = await start(token, certificate_number)
    await payByCard(started, CARD_WITHOUT_FUNDS)
    const failed = await waitForStatus(token, started.transaction_id, 'failed')
    expect(failed).toMatchObject({ code: 'INSUFFICIENT_FUNDS', letter: null, certificate: null })
    expect((await start(token, certificate_number)).transaction_id).not.toBe(started.transaction_id)
  })

  test('several certificates are verified with one payment, each with its letter', async () => {
    const { token } = person
    const staff = await admin()
    const certificates = [await newCertificate(staff), await newCertificate(staff)]
    const numbers = certificates.map(certificate => certificate.certificate_number)
    const certificate_numbers = [...numbers, ...numbers.slice(0, 1), 'UG/1900/NOWHERE']
    const checked = await callOk('POST', '/verification/verify-bulk', {
      token,
      body: { certificate_numbers },
    })
    expect(checked.summary).toMatchObject({ given: 4, duplicates: 1, payment_required: 2, not_found: 1 })
    const started = await callOk('POST', '/verification/process-bulk-payment', {
      token,
      body: { certificate_numbers: numbers },
    })
    expect(started.amount_paid).toBe(checked.amount_due)
    await payByCard(started, GOOD_CARD)
    const { items } = await waitForStatus(token, started.transaction_id, 'paid')
    expect(items).toMatchObject(
      numbers.map(certificate_number => ({ certificate_number, letter: { status: 'valid' } })),
    )
    const { statistics } = await callOk('GET', '/verification/statistics', { token })
    expect(statistics.successful_verifications).toBeGreaterThanOrEqual(3)
  })

  test('unknown numbers are limited by account, whichever process gets the requests', async () => {
    const { token } = await accountBy(await admin())
    const answers = []
    for (let n = 0; n < 21; n++) answers.push(await check(token, `UG/1900/NOWHERE${n}`))
    expect(answers.map(({ status }) => status)).toEqual([...Array(20).fill(404), 429])
    expect(answers.at(-1)?.body.code).toBe('RATE_LIMITED')
    expect(Number(answers.at(-1)?.headers.get('retry-after'))).toBeGreaterThan(0)
  })

  return {
    defineSchedulerTest() {
      test('the scheduler syncs a payment whose status no one has checked since', async () => {
        const { token } = openPayment.person
        const readMoney = async () => {
          await subject().runScheduledJobs?.()
          const { history } = await callOk('GET', '/verification/history', { token })
          const record = history.find(
            (item: ApiResponse['body']) => item.bpms_transaction_id === openPayment.id,
          )
          return record?.payment_status === 'paid' ? record : undefined
        }
        // The second requery is due 30 s after the start, up to a fifth sooner or later, and happens in the next run.
        const synced = await eventually(readMoney, `${openPayment.id} to be synced by the scheduler`)
        expect(synced).toMatchObject({ authentication_result: 'success', letter: { status: 'valid' } })
      })
    },
  }
}
