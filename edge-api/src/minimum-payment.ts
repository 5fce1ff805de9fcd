import { toMinor } from '@portal/format/money'
import type { Ports } from './ports.ts'

/** Minimum amount of the chosen gateway, in kobo: the setting, otherwise the published one; 0 without either. */
export function minimumPayment({ environment, gateways }: Ports): number {
  const { PAYMENT_MINIMUM_AMOUNT: set, PAYMENT_PROVIDER: provider } = environment
  return set === undefined ? (gateways[provider]?.minimumMinor ?? 0) : toMinor(set)
}
