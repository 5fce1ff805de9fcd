import type { Environment } from '../environment.ts'
import type { PaymentGateway } from '../payment-gateway.ts'
import { bpmsGateway } from './gateway-bpms.ts'
import { interswitchGateway } from './gateway-interswitch.ts'
import { paystackGateway } from './gateway-paystack.ts'
import { sandboxGateway } from './gateway-sandbox.ts'

/**
 * Returns every configured gateway, by provider name: the one for new payments, and those that earlier payments used. The
 * sandbox is included except in production.
 */
export function createGateways(
  environment: Environment,
  fetch: typeof globalThis.fetch,
): Readonly<Record<string, PaymentGateway>> {
  const { bpms, interswitch, paystack } = environment.gateways
  // In tests, fake gateways listen on this machine; otherwise a loopback address is a mistake or an attack.
  const shared = { fetch, allowLoopback: environment.NODE_ENV === 'test' }
  const now = () => Date.now() + environment.CLOCK_OFFSET_SECONDS * 1000
  const gateways: Record<string, PaymentGateway> = {}
  if (environment.NODE_ENV !== 'production' && environment.PAYMENT_WEBHOOK_SECRET) {
    const webhookSecret = environment.PAYMENT_WEBHOOK_SECRET
    gateways.sandbox = sandboxGateway({ url: environment.PAYMENT_URL, webhookSecret, fetch })
  }
  if (bpms) gateways.bpms = bpmsGateway({ ...bpms, ...shared, now })
  if (interswitch) gateways.interswitch = interswitchGateway({ ...interswitch, ...shared })
  if (paystack) gateways.paystack = paystackGateway({ ...paystack, ...shared })
  return gateways
}
