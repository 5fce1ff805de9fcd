import { makeCertificate, makeUser } from '@portal/fixtures/factories'
import { expect } from 'vitest'
import { type Account, request } from './portal.ts'
import type { PortalAddress } from './servers/portal-server.ts'

/*
 * Makes writes other than payments while a portal is killed: accounts, profiles, certificates, uploads. Acknowledged writes are
 * recorded and must exist afterwards; others may or may not exist, but must not exist in part.
 */

/** Number of rows in each upload. */
const ROW_COUNT = 60

export interface WrittenData {
  /** Registered email addresses. */
  accounts: string[]
  /** The house number in the address of the last acknowledged profile. */
  houseNumber: number
  /** The certificates that were added and not deleted, each with its last acknowledged grade. */
  certificates: Map<string, string>
  deleted: string[]
  /** Certificate numbers in uploads that were acknowledged as complete. */
  uploaded: string[]
}

export const createEmptyRecord = (): WrittenData => ({
  accounts: [],
  houseNumber: 0,
  certificates: new Map(),
  deleted: [],
  uploaded: [],
})

type Tokens = Record<'payer' | 'admin', string>

const makeAddress = (writeNumber: number) => `House ${writeNumber}, Test Lane`

async function register(portal: PortalAddress, written: WrittenData): Promise<void> {
  const body = makeUser()
  const { status } = await request('POST', '/auth/register', { body, portal })
  if (status === 201) written.accounts.push(body.email)
}

async function changeProfile(
  portal: PortalAddress,
  account: Account,
  { payer }: Tokens,
  writeNumber: number,
  written: WrittenData,
) {
  const { firstname, middlename, lastname, phone } = account
  const body = { firstname, middlename, lastname, phone, address: makeAddress(writeNumber) }
  const { status } = await request('PUT', '/auth/profile', { token: payer, body, portal })
  if (status === 200) written.houseNumber = writeNumber
}

/** Adds a certificate, corrects it, and deletes it if `writeNumber` is even. */
async function writeCertificate(
  portal: PortalAddress,
  { admin }: Tokens,
  turn: number,
  written: WrittenData,
): Promise<void> {
  const body = makeCertificate({ grade: 'Pass' })
  const number = body.certificate_number
  const created = await request('POST', '/admin/certificates', { token: admin, body, portal })
  if (created.status !== 201) return
  written.certificates.set(number, 'Pass')
  const path = `/admin/certificates/${created.body.certificate.id}`
  const corrected = await request('PUT', path, {
    token: admin,
    body: { ...body, grade: 'Merit' },
    portal,
  })
  if (corrected.status === 200) written.certificates.set(number, 'Merit')
  if (turn % 2 === 1) return
  // From here on the certificate may be deleted, whether the deletion is acknowledged or not.
  written.certificates.delete(number)
  const removed = await request('DELETE', path, { token: admin, portal })
  if (removed.status === 200) written.deleted.push(number)
}

async function upload(portal: PortalAddress, { admin }: Tokens, written: WrittenData): Promise<void> {
  const rows = Array.from({ length: ROW_COUNT }, () => makeCertificate())
  const lines = [Object.keys(rows[0] ?? {}), ...rows.map(row => Object.values(row))].map(cells =>
    cells.join(','),
  )
  const body = new FormData()
  body.append('file', new File([lines.join('\n')], 'register.csv'))
  const { status, body: response } = await request('POST', '/admin/certificates/upload', {
    token: admin,
    body,
    portal,
  })
  if (status !== 201 || response.summary.succeeded !== ROW_COUNT) return
  written.uploaded.push(...rows.map(row => row.certificate_number))
}

/** Repeats the writes of each kind in sequence, and the kinds in parallel, until the portal is gone. */
export async function keepWriting(
  portal: PortalAddress,
  account: Account,
  tokens: Tokens,
  written: WrittenData,
  counter: { next: number },
): Promise<void> {
  let hasEnded = false
  const repeatWrite = async (write: () => Promise<void>) => {
    while (!hasEnded) await write()
  }
  await Promise.allSettled(
    [
      () => register(portal, written),
      () => changeProfile(portal, account, tokens, counter.next++, written),
      () => writeCertificate(portal, tokens, counter.next++, written),
      () => upload(portal, tokens, written),
    ].map(write =>
      repeatWrite(write).finally(() => {
        hasEnded = true
      }),
    ),
  )
}

type ReadRows = (sql: string) => Promise<Record<string, unknown>[]>

/** Checks that everything that was acknowledged exists. */
export async function expectAcknowledged(
  readRows: ReadRows,
  account: Account,
  written: WrittenData,
): Promise<void> {
  const column = async (sql: string) => new Set((await readRows(sql)).map(row => row.value))
  const accounts = await column('select email as value from users')
  expect(written.accounts.filter(email => !accounts.has(email))).toEqual([])

  const [profile] = await readRows(`select address from users where email = '${account.email}'`)
  const houseNumber = Number(/^House (\d+)/.exec(String(profile?.address))?.[1] ?? 0)
  expect(houseNumber).toBeGreaterThanOrEqual(written.houseNumber)

  const registered = new Map(
    (
      await readRows(
        'select certificate_number as number, grade from certificates where withdrawn_at is null',
      )
    ).map(row => [String(row.number), String(row.grade)]),
  )
  // A correction whose response was lost may have been made anyway.
  const lostCertificates = [...written.certificates].filter(
    ([number, grade]) =>
      registered.get(number) !== grade && !(grade === 'Pass' && registered.get(number) === 'Merit'),
  )
  expect(lostCertificates).toEqual([])
  expect(written.deleted.filter(number => registered.has(number))).toEqual([])
  expect(written.uploaded.filter(number => !registered.has(number))).toEqual([])
}
