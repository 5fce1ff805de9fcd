import { makeCertificate } from '@portal/fixtures/factories'
import { decodeJwt } from 'jose'
import { describe, expect, test } from 'vitest'
import { fetchBytes } from '../../test/letter-files.ts'
import {
  type Account,
  endPaymentAtGateway,
  eventually,
  newAccount,
  newCertificate,
  request,
  staffToken,
  waitForMails,
} from '../../test/portal.ts'

async function newVerification(account?: Account) {
  const [holder, certificate] = await Promise.all([account ?? newAccount(), newCertificate()])
  const { token } = holder
  const body = { certificate_number: certificate.certificate_number }
  const started = await request('POST', '/verification/process-payment', { token, body })
  await endPaymentAtGateway(started.body.payment_reference, '00')
  const path = `/verification/check-verification-status/${started.body.transaction_id}`
  const status = await eventually(async () => {
    const response = await request('GET', path, { token })
    return response.body.status === 'paid' ? response : undefined
  }, 'the payment')
  const { letter, verification_template: template } = status.body
  return { holder, certificate, path, code: letter.code as string, template }
}

type NewVerification = Awaited<ReturnType<typeof newVerification>>

async function correct({ certificate }: NewVerification, change: object) {
  const { id, uploader_email: _by, uploaded_at: _at, ...fields } = certificate
  const body = { ...fields, ...change }
  const response = await request('PUT', `/admin/certificates/${id}`, {
    token: await staffToken('admin'),
    body,
  })
  expect(response.status).toBe(200)
}
const readLetter = async (code: string) => (await request('GET', `/letters/${code}`)).body
const reissue = (code: string, { token }: Pick<Account, 'token'>) =>
  request('POST', `/verification/letters/${code}/reissue`, { token })

describe('POST /verification/letters/{code}/reissue', () => {
  test('issues the corrected letter once, free of charge, in place of the previous one', {
    tags: ['LETTER-4'],
  }, async () => {
    const letter = await newVerification()
    await correct(letter, { grade: 'Aegrotat' })
    const response = await reissue(letter.code, letter.holder)
    expect(response).toMatchObject({ status: 200, body: { letter: { status: 'valid' } } })
    const { code } = response.body.letter
    expect(code).not.toBe(letter.code)

    expect(await readLetter(code)).toMatchObject({
      status: 'valid',
      recipient: (await readLetter(letter.code)).recipient,
      certificate_details: { class: 'Aegrotat' },
    })
    expect(await readLetter(letter.code)).toMatchObject({
      status: 'superseded',
      certificate_details: { class: letter.certificate.grade },
    })
    // The letter page and the print view in the history show the current letter's own text.
    const { body } = await request('GET', letter.path, { token: letter.holder.token })
    expect(body).toMatchObject({
      letter: { code, status: 'valid' },
      certificate: { grade: 'Aegrotat' },
      verification_template: { content: { certificate_details: { class: 'Aegrotat' } } },
      amount_paid: 5000,
    })
    // A repeated request, by certificate number or ID, returns the same letter.
    const { token } = letter.holder
    const payload = { token, body: { certificate_number: letter.certificate.certificate_number } }
    for (const repeated of [
      await request('POST', '/verification/check-certificate', payload),
      await request('POST', '/verification/process-payment', payload),
      await request('GET', `/verification/certificate/${letter.certificate.id}`, { token }),
    ])
      expect(repeated).toMatchObject({ status: 200, body: { certificate: { grade: 'Aegrotat' } } })
    const { verifications } = (await request('GET', '/account/data', { token })).body
    expect(verifications[0]).toMatchObject({ result: 'success', certificate: { grade: 'Aegrotat' } })

    // A repeated request, by either code or in parallel, returns the same letter.
    const secondReplies = await Promise.all(
      [letter.code, code, letter.code].map(item => reissue(item, letter.holder)),
    )
    expect(secondReplies.map(({ body }) => body.letter.code)).toEqual([code, code, code])
  })

  test('five parallel requests issue one letter', { tags: ['LETTER-4'] }, async () => {
    const letter = await newVerification()
    await correct(letter, { course: 'B.Sc. Another Course' })
    const responses = await Promise.all(Array.from({ length: 5 }, () => reissue(letter.code, letter.holder)))
    expect(new Set(responses.map(({ body }) => body.letter.code)).size).toBe(1)
  })

  test('leaves a valid letter unchanged, and refuses a withdrawn one', async () => {
    const letter = await newVerification()
    expect((await reissue(letter.code, letter.holder)).body.letter.code).toBe(letter.code)
    await request('DELETE', `/admin/certificates/${letter.certificate.id}`, {
      token: await staffToken('admin'),
    })
    expect(await reissue(letter.code, letter.holder)).toMatchObject({
      status: 409,
      body: { code: 'LETTER_WITHDRAWN' },
    })
  })

  test('the letter of another account gets the same response as one that does not exist', async () => {
    const [letter, other] = await Promise.all([newVerification(), newAccount()])
    const refused = await reissue(letter.code, other)
    const unknown = await reissue('000000000000', other)
    expect(refused.status).toBe(404)
    expect({ ...refused.body, request_id: '' }).toEqual({ ...unknown.body, request_id: '' })
  })
})

test('both credentials of a reissued letter have the same subject as before', async () => {
  const letter = await newVerification()
  const readSubjects = async (code: string) =>
    await Promise.all(
      ['jwt', 'ob3'].map(async extension => {
        const { bytes } = await fetchBytes(`/api/letters/${code}.${extension}`)
        const { id, credentialSubject } = decodeJwt<{ id: string; credentialSubject: { id: string } }>(
          new TextDecoder().decode(bytes),
        )
        return { id, subject: credentialSubject.id }
      }),
    )
  const before = await readSubjects(letter.code)
  await correct(letter, { grade: 'Pass' })
  const { letter: link } = (await reissue(letter.code, letter.holder)).body
  expect(link.open_badge_url).toMatch(new RegExp(`/api/letters/${link.code}\\.ob3$`))
  const after = await readSubjects(link.code)
  expect(after.map(({ subject }) => subject)).toEqual(before.map(({ subject }) => subject))
  expect(after.map(({ id }) => id)).toEqual([
    expect.stringContaining(`/letters/${link.code}`),
    link.open_badge_url,
  ])
})

test('the letter shows a correction and a withdrawal with their dates, and its holder gets an email for each', {
  tags: ['LETTER-3'],
}, async () => {
  const letter = await newVerification()
  await correct(letter, { matric_number: 'U2019/0000001', department: 'Elsewhere' })
  expect(await readLetter(letter.code)).toMatchObject({ status: 'valid' })
  await correct(letter, { student_name: makeCertificate().student_name })
  const superseded = await readLetter(letter.code)
  expect(superseded).toMatchObject({ status: 'superseded' })
  expect(superseded.date).toBe(letter.template.header.date)
  expect(Date.parse(superseded.status_since)).toBeGreaterThan(Date.parse(superseded.issued_at))
  const token = await staffToken('admin')
  await request('DELETE', `/admin/certificates/${letter.certificate.id}`, { token })
  expect(await readLetter(letter.code)).toMatchObject({ status: 'withdrawn' })
  // The other two are the mails for address confirmation and the receipt. Mails sent in parallel may arrive out of order.
  const mails = await waitForMails(letter.holder.email, { atLeast: 4 })
  expect(mails.map(({ subject }) => subject)).toEqual(
    expect.arrayContaining([
      'Your verification letter was withdrawn',
      'Your verification letter was superseded',
    ]),
  )
})

test('staff see how many letters a change affects, and the log reports it', {
  tags: ['LETTER-3'],
}, async () => {
  const letter = await newVerification()
  const token = await staffToken('admin')
  const number = letter.certificate.certificate_number
  const listed = await request('GET', `/admin/certificates?search=${encodeURIComponent(number)}`, { token })
  expect(listed.body.certificates).toMatchObject([{ certificate_number: number, letters: 1 }])
  await correct(letter, { grade: 'Aegrotat' })
  const logs = await request('GET', `/admin/activity-logs?search=${encodeURIComponent(number)}`, { token })
  expect(logs.body.logs[0]).toMatchObject({
    activity: 'Certificate updated',
    details: expect.stringMatching(`^${number}: grade; 1 letter superseded; version 2;`),
  })
})

test('each check of a letter is counted for the holder and logged without data of the person who checked it', {
  tags: ['LETTER-5'],
}, async () => {
  const letter = await newVerification()
  const first = await readLetter(letter.code)
  const second = await readLetter(letter.code)
  expect([first.checks, second.checks]).toEqual([1, 2])
  expect(second.previous_check_at).toBe(first.checked_at)
  const history = await request('GET', '/verification/history', { token: letter.holder.token })
  expect(history.body.history[0].letter).toMatchObject({ checks: 2, last_checked_at: second.checked_at })
  const token = await staffToken('super_admin')
  const logs = await request('GET', `/admin/activity-logs?search=${encodeURIComponent(first.ref_number)}`, {
    token,
  })
  const checks = logs.body.logs.filter(
    ({ activity }: { activity: string }) => activity === 'Verification letter checked',
  )
  expect(checks).toHaveLength(2)
  for (const check of checks)
    expect(check).toMatchObject({
      user_id: null,
      user_email: null,
      ip_address: null,
      details: `${first.ref_number}: valid`,
    })
})
