import { randomInt } from 'node:crypto'
import type { LetterLink } from '@portal/contract/letter'
import type { Certificate } from '@portal/contract/shapes'
import type { StatusReply } from '@portal/contract/verification'
import type { Registration } from '@portal/fixtures/factories'
import { eventually, newAccount, request, settlePayment } from '../../../edge-api/test/portal.ts'
import type { PortalAddress } from '../../../edge-api/test/servers/portal-server.ts'
import { admin, certificate, portal, type SignedInUser } from './portal.ts'

export interface Holder extends SignedInUser {
  email: string
  password: string
}

/** Creates an account that can hold letters. */
export async function newHolder(overrides: Partial<Registration> = {}, at = portal()): Promise<Holder> {
  const { id, token, firstname, lastname, email, password } = await newAccount(overrides, at)
  return { email, password, token, user: { id, firstname, lastname, email, role: 'user' } }
}

/** Pays for certificates without a browser and waits for the results. */
export async function payFor(
  { token }: SignedInUser,
  numbers: readonly string[],
  at: PortalAddress = portal(),
): Promise<StatusReply> {
  const [number] = numbers
  const started =
    numbers.length === 1
      ? await request('POST', '/verification/process-payment', {
          token,
          body: { certificate_number: number },
          portal: at,
        })
      : await request('POST', '/verification/process-bulk-payment', {
          token,
          body: { certificate_numbers: numbers },
          portal: at,
        })
  await settlePayment(started.body.payment_reference, '00', at)
  const path = `/verification/check-verification-status/${started.body.transaction_id}`
  return await eventually(async () => {
    const { body } = await request('GET', path, { token, portal: at })
    return body.status === 'paid' ? (body as StatusReply) : undefined
  }, 'the payment')
}

export interface Issued {
  holder: Holder
  certificate: Certificate
  payment: StatusReply
  letter: LetterLink
}

/** Creates a letter for one test, for a new account. */
export async function issueLetter(
  overrides: Partial<Registration> = {},
  existing?: Certificate,
  at = portal(),
): Promise<Issued> {
  const [holder, entered] = await Promise.all([newHolder(overrides, at), existing ?? certificate(at)])
  const payment = await payFor(holder, [entered.certificate_number], at)
  if (!payment.letter) throw new Error('no letter was issued')
  return { holder, certificate: entered, payment, letter: payment.letter }
}

/** Corrects a certificate as staff do. @throws if the portal refuses */
export async function correct(
  { id, uploader_email: _by, uploaded_at: _at, ...fields }: Certificate,
  change: Partial<Certificate>,
  at = portal(),
): Promise<void> {
  const { status } = await request('PUT', `/admin/certificates/${id}`, {
    token: (await admin(at)).token,
    body: { ...fields, ...change },
    portal: at,
  })
  if (status !== 200) throw new Error(`correction: ${status}`)
}

/** Adds a certificate with the given details for one test. */
export async function enter(fields: object, at = portal()): Promise<Certificate> {
  const number = `UG/2019/${randomInt(10_000_000, 99_999_999)}`
  const { status, body } = await request('POST', '/admin/certificates', {
    token: (await admin(at)).token,
    body: { certificate_number: number, ...fields },
    portal: at,
  })
  if (status !== 201) throw new Error(`certificate: ${status} ${JSON.stringify(body)}`)
  return body.certificate
}

/** Fetches a letter as a signed PDF. */
export async function pdfOf({ pdf_url: url }: LetterLink): Promise<Buffer> {
  const response = await fetch(url)
  if (!response.ok) throw new Error(`pdf: ${response.status}`)
  return Buffer.from(await response.arrayBuffer())
}
