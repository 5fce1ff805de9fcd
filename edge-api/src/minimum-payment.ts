import { toMinor } from '@portal/format/money'
import type { Ports } from './ports.ts'

/** Returns the chosen gateway's minimum amount in kobo: the configured one, otherwise the one that the gateway publishes, or 0. */
export function minimumPayment({ environment, gateways }: Ports): number {
  const { PAYMENT_MINIMUM_AMOUNT: configured, PAYMENT_PROVIDER: provider } = environment
  return configured === undefined ? (gateways[provider]?.minimumMinor ?? 0) : toMinor(configured)
}
