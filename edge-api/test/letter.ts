import type { VerificationTemplate } from '@portal/contract/letter'
import type { Certificate } from '@portal/contract/shapes'
import {
  type Account,
  endPaymentAtGateway,
  eventually,
  newAccount,
  newCertificate,
  request,
} from './portal.ts'

/** Verifies and pays for a certificate (by default a new one) from a new account, and returns the letter that was issued. */
export async function newLetter(existing?: Certificate): Promise<{
  account: Account
  id: string
  number: string
  code: string
  template: VerificationTemplate
}> {
  const [account, certificate] = await Promise.all([newAccount(), existing ?? newCertificate()])
  const { token } = account
  const number = certificate.certificate_number
  const started = await request('POST', '/verification/process-payment', {
    token,
    body: { certificate_number: number },
  })
  const id: string = started.body.transaction_id
  await endPaymentAtGateway(started.body.payment_reference, '00')
  const status = await eventually(async () => {
    const { body } = await request('GET', `/verification/check-verification-status/${id}`, { token })
    return body.verification_template ? body : undefined
  }, `the letter of ${id}`)
  return { account, id, number, code: status.letter.code, template: status.verification_template }
}
