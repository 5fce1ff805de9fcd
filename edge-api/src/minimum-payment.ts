import { toMinor } from '@portal/format/money'
import type { Ports } from './ports.ts'

/**
 * Returns the minimum amount of a payment in kobo: the configured one, or else the one that the chosen gateway publishes, or 0.
 */
export function minimumPaymentMinor({ environment, gateways }: Ports): number {
  const { PAYMENT_MINIMUM_AMOUNT: configured, PAYMENT_PROVIDER: provider } = environment
  return configured === undefined ? (gateways[provider]?.minimumMinor ?? 0) : toMinor(configured)
}
