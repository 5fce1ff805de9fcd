import { randomInt } from 'node:crypto'
import type { LetterLink } from '@portal/contract/letter'
import type { Certificate } from '@portal/contract/shapes'
import type { StatusReply } from '@portal/contract/verification'
import type { Registration } from '@portal/fixtures/factories'
import { endPaymentAtGateway, eventually, newAccount, request } from '../../../edge-api/test/portal.ts'
import type { PortalAddress } from '../../../edge-api/test/servers/portal-server.ts'
import { admin, createCertificate, portal, type SignedInUser } from './portal.ts'

export interface Holder extends SignedInUser {
  email: string
  password: string
}

/** Creates an account that can hold letters. */
export async function newHolder(
  overrides: Partial<Registration> = {},
  targetPortal = portal(),
): Promise<Holder> {
  const { id, token, firstname, lastname, email, password } = await newAccount(overrides, targetPortal)
  return { email, password, token, user: { id, firstname, lastname, email, role: 'user' } }
}

/** Pays for certificates without a browser and waits for the results. */
export async function payFor(
  { token }: SignedInUser,
  numbers: readonly string[],
  targetPortal: PortalAddress = portal(),
): Promise<StatusReply> {
  const [number] = numbers
  const startReply =
    numbers.length === 1
      ? await request('POST', '/verification/process-payment', {
          token,
          body: { certificate_number: number },
          portal: targetPortal,
        })
      : await request('POST', '/verification/process-bulk-payment', {
          token,
          body: { certificate_numbers: numbers },
          portal: targetPortal,
        })
  await endPaymentAtGateway(startReply.body.payment_reference, '00', targetPortal)
  const path = `/verification/check-verification-status/${startReply.body.transaction_id}`
  return await eventually(async () => {
    const { body } = await request('GET', path, { token, portal: targetPortal })
    return body.status === 'paid' ? (body as StatusReply) : undefined
  }, 'the payment')
}

export interface IssuedLetter {
  holder: Holder
  certificate: Certificate
  payment: StatusReply
  letter: LetterLink
}

/** Creates a letter for one test, for a new account. */
export async function issueLetter(
  overrides: Partial<Registration> = {},
  existing?: Certificate,
  targetPortal = portal(),
): Promise<IssuedLetter> {
  const [holder, certificate] = await Promise.all([
    newHolder(overrides, targetPortal),
    existing ?? createCertificate(targetPortal),
  ])
  const payment = await payFor(holder, [certificate.certificate_number], targetPortal)
  if (!payment.letter) throw new Error('no letter was issued')
  return { holder, certificate, payment, letter: payment.letter }
}

/** Corrects a certificate as staff do. @throws if the portal refuses */
export async function correctCertificate(
  { id, uploader_email: _by, uploaded_at: _at, ...fields }: Certificate,
  change: Partial<Certificate>,
  targetPortal = portal(),
): Promise<void> {
  const { status } = await request('PUT', `/admin/certificates/${id}`, {
    token: (await admin(targetPortal)).token,
    body: { ...fields, ...change },
    portal: targetPortal,
  })
  if (status !== 200) throw new Error(`correction: ${status}`)
}

/** Adds a certificate with the given details for one test. */
export async function addCertificate(fields: object, targetPortal = portal()): Promise<Certificate> {
  const number = `UG/2019/${randomInt(10_000_000, 99_999_999)}`
  const { status, body } = await request('POST', '/admin/certificates', {
    token: (await admin(targetPortal)).token,
    body: { certificate_number: number, ...fields },
    portal: targetPortal,
  })
  if (status !== 201) throw new Error(`certificate: ${status} ${JSON.stringify(body)}`)
  return body.certificate
}

/** Fetches a letter as a signed PDF. */
export async function fetchPdf({ pdf_url: url }: LetterLink): Promise<Buffer> {
  const response = await fetch(url)
  if (!response.ok) throw new Error(`pdf: ${response.status}`)
  return Buffer.from(await response.arrayBuffer())
}
