import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openTestSetup, type TestSetup } from '../../test/payment-setup.ts'
import {
  type CertificateFields,
  findByNumber,
  updateCertificate,
  withdrawCertificate,
} from '../certificates/store.ts'
import { drainOutbox } from '../mail/outbox.ts'
import { listNotifications } from '../notifications/store.ts'
import { syncWithGateway } from '../payments/sync.ts'
import type { Principal } from '../principal.ts'
import {
  changeAndUpdateLetters,
  describeLetterChanges,
  notifyHolders,
  notifyHoldersOf,
} from './status-changes.ts'
import { listLettersOfCertificates } from './status-store.ts'

let setup: TestSetup
beforeEach(async () => {
  setup = await openTestSetup()
})
afterEach(() => setup.close())

const MINUTE = 60_000

async function newVerification(user?: Principal, number?: string) {
  const holder = user ?? (await setup.newUser())
  const certificateNumber = number ?? (await setup.newCertificate())
  const started = await setup.startPayment(holder, certificateNumber)
  if (started.kind !== 'initiated') throw new Error(started.kind)
  const reference = started.payment.providerReference
  setup.gateway.setOutcome(reference, 'succeeded')
  await syncWithGateway(setup.ports, setup.database, { reference }, 'webhook')
  const certificate = await findByNumber(setup.database.read, { certificateNumber })
  if (!certificate) throw new Error('no certificate')
  return { user: holder, certificate, number: certificateNumber }
}

/** Corrects a certificate as the handler does: updates its letters and sends the notifications. */
async function correct(certificateId: string, change: Partial<CertificateFields>) {
  setup.ports.time += 1000
  const at = setup.ports.time
  return await setup.database.write(async tx => {
    const [current] = await listLettersOfCertificates(tx, { certificateIds: [certificateId] })
    const fields = current?.certificate
    if (!fields) throw new Error('no certificate with a letter')
    const { changed } = await changeAndUpdateLetters(tx, { certificateIds: [certificateId], at }, () =>
      updateCertificate(tx, { id: certificateId, fields: { ...fields, ...change }, at }),
    )
    await notifyHoldersOf(setup.ports, tx, { certificateId, at })
    return changed
  })
}

async function withdraw(certificateIds: readonly string[]) {
  setup.ports.time += 1000
  const at = setup.ports.time
  return await setup.database.write(tx =>
    changeAndUpdateLetters(tx, { certificateIds, at }, async () => {
      for (const id of certificateIds) await withdrawCertificate(tx, { id, at })
    }),
  )
}

/** Returns the titles of an account's notifications, oldest first, and the subjects of its mails after the receipt. */
async function findMessagesTo({ id, email }: Principal) {
  const { rows } = await listNotifications(setup.database.read, { userId: id, page: 1, perPage: 100 })
  await drainOutbox(setup.ports, setup.database)
  const mails = setup.ports.sent.filter(
    mail => mail.to === email && !/verification is complete/.test(mail.subject),
  )
  return {
    notices: rows
      .map(({ title }) => title)
      .filter(title => title !== 'Certificate verified')
      .reverse(),
    mails: mails.map(({ subject }) => subject),
  }
}

describe('a correction', () => {
  test.each([
    ['nothing', {}],
    ['the matric number', { matricNumber: 'U2019/5570001' }],
    ['the department', { department: 'Another Department' }],
    ['only white space', { grade: ' Second  Class ' }],
  ] as const)(
    'of %s keeps the letters valid and sends no notification',
    { tags: ['LETTER-3'] },
    async (_, change) => {
      const { user, certificate } = await newVerification()
      if ('grade' in change) await correct(certificate.id, { grade: 'Second Class' })
      const before = await findMessagesTo(user)
      const changed = await correct(certificate.id, change)
      expect(changed).toEqual({})
      expect(await findMessagesTo(user)).toEqual(before)
    },
  )

  test.each([
    ['name', { studentName: 'Ọláṣẹ́ní Adébáyọ̀' }],
    ['course', { course: 'B.Sc. Another Course' }],
    ['grade', { grade: 'Aegrotat' }],
    ['graduation date', { graduationDate: '1999-12-31' }],
    ['number', { certificateNumber: 'UG/1999/99999' }],
  ] as const)(
    'of the %s supersedes the letters, and the holder is notified once, by notification and mail',
    { tags: ['LETTER-3'] },
    async (_, change) => {
      const { user, certificate, number } = await newVerification()
      expect(await correct(certificate.id, change)).toEqual({ superseded: 1 })
      // A second correction does not supersede the same letter again.
      expect(await correct(certificate.id, { ...change, department: 'Elsewhere' })).toEqual({})
      await notifyHolders(setup.ports, setup.database, 0)
      expect(await findMessagesTo(user)).toEqual({
        notices: ['Certificate corrected'],
        mails: ['Your verification letter was superseded'],
      })
      const mail = setup.ports.sent.find(item => item.subject.includes('superseded'))
      expect(mail?.text).toContain(`Certificate: ${number}.`)
      expect(mail?.text).not.toContain(certificate.studentName)
    },
  )

  test('that is undone makes the letter valid again and notifies the holder', async () => {
    const { user, certificate } = await newVerification()
    await correct(certificate.id, { grade: 'Aegrotat' })
    expect(await correct(certificate.id, { grade: certificate.grade })).toEqual({ valid: 1 })
    expect((await findMessagesTo(user)).mails.toSorted()).toEqual([
      'Your verification letter is valid again',
      'Your verification letter was superseded',
    ])
  })

  test('affects the letters of every holder', async () => {
    const { user, certificate, number } = await newVerification()
    const otherVerification = await newVerification(undefined, number)
    expect(await correct(certificate.id, { grade: 'Aegrotat' })).toEqual({ superseded: 2 })
    for (const holder of [user, otherVerification.user])
      expect((await findMessagesTo(holder)).mails).toHaveLength(1)
  })
})

describe('several changes', () => {
  test('one mail covers all letters of a holder, and no notification is sent while more changes may follow', {
    tags: ['LETTER-3'],
  }, async () => {
    const user = await setup.newUser()
    const certificates = []
    for (let count = 0; count < 3; count++) certificates.push((await newVerification(user)).certificate)
    const { changed } = await withdraw(certificates.map(({ id }) => id))
    expect(changed).toEqual({ withdrawn: 3 })
    expect(await notifyHolders(setup.ports, setup.database)).toBe(0)
    setup.ports.time += MINUTE
    expect(await notifyHolders(setup.ports, setup.database)).toBe(1)
    expect(await notifyHolders(setup.ports, setup.database)).toBe(0)
    expect(await findMessagesTo(user)).toEqual({
      notices: ['Certificates withdrawn'],
      mails: ['Some of your verification letters were withdrawn'],
    })
    const mail = setup.ports.sent.find(({ subject }) => /were withdrawn/.test(subject))
    for (const { certificateNumber } of certificates) expect(mail?.text).toContain(certificateNumber)
  })

  test('no notification is sent about a change that was undone before the notification was due', async () => {
    const { user, certificate } = await newVerification()
    const change = (grade: string) =>
      setup.database.write(tx =>
        changeAndUpdateLetters(tx, { certificateIds: [certificate.id], at: ++setup.ports.time }, () =>
          updateCertificate(tx, {
            id: certificate.id,
            fields: { ...certificate, grade },
            at: setup.ports.time,
          }),
        ),
      )
    await change('Aegrotat')
    await change(certificate.grade)
    await notifyHolders(setup.ports, setup.database, 0)
    expect(await findMessagesTo(user)).toEqual({ notices: [], mails: [] })
  })
})

test('the log describes the changed letters', () => {
  expect(describeLetterChanges({})).toBe('')
  expect(describeLetterChanges({ superseded: 1 })).toBe('1 letter superseded')
  expect(describeLetterChanges({ withdrawn: 2, superseded: 3 })).toBe(
    '3 letters superseded, 2 letters withdrawn',
  )
})
