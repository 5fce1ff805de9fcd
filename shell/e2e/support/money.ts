import { DEMO_PASSWORD, personas } from '@portal/fixtures/personas'
import { control, eventually, request, signIn } from '../../../edge-api/test/portal.ts'
import type { PortalAddress } from '../../../edge-api/test/servers/portal-server.ts'
import { portal } from './portal.ts'

/** How a payment ends at the gateway: with another amount (in major units) or another currency than was due. */
export interface GatewayEnd {
  code?: string
  amount_paid?: number
  currency?: string
}

/** Ends a payment at the gateway. @throws if the gateway refuses */
export async function endAtGateway(
  reference: string,
  { code = '00', ...money }: GatewayEnd,
  targetPortal: PortalAddress = portal(),
): Promise<void> {
  const { status, body } = await control('settle', { request_id: reference, code, ...money }, targetPortal)
  if (status !== 200) throw new Error(`settle ${reference}: ${status} ${JSON.stringify(body)}`)
}

/** Returns a session of the demo's super admin. */
const signInAsSuperAdmin = (targetPortal: PortalAddress) =>
  signIn(personas.superAdmin.email, DEMO_PASSWORD, targetPortal)

/** Approves the refund of a payment with a bank reference, once the refund is due. */
export async function approveRefund(
  transactionId: string,
  targetPortal: PortalAddress = portal(),
): Promise<void> {
  const { token } = await signInAsSuperAdmin(targetPortal)
  const id = transactionId.replaceAll('-', '')
  const refund = await eventually<{ id: string }>(async () => {
    const { body } = await request('GET', `/admin/refunds?search=${id}`, { token, portal: targetPortal })
    return body.refunds[0]
  }, `a refund of ${id}`)
  const { status, body } = await request('POST', `/admin/refunds/${refund.id}/approve`, {
    token,
    portal: targetPortal,
    body: { bank_reference: `BANK-${id.slice(-8)}` },
  })
  if (status !== 200) throw new Error(`refund of ${id}: ${status} ${JSON.stringify(body)}`)
}

/** Sets the policy for unknown numbers. It applies to the whole portal: use it only with a separate portal. */
export async function setUnknownCertificates(
  policy: 'free' | 'charge',
  targetPortal: PortalAddress,
): Promise<void> {
  const { token } = await signInAsSuperAdmin(targetPortal)
  const { status, body } = await request('PUT', '/admin/settings/policies', {
    token,
    portal: targetPortal,
    body: { unknown_certificates: policy },
  })
  if (status !== 200) throw new Error(`policy: ${status} ${JSON.stringify(body)}`)
}
