import { toMinor } from '@portal/format/money'
import type { Ports } from './ports.ts'

/** The least that the chosen gateway accepts, in kobo: what is set, else what is published; 0 where neither is. */
export function minimumPayment({ environment, gateways }: Ports): number {
  const { PAYMENT_MINIMUM_AMOUNT: set, PAYMENT_PROVIDER: provider } = environment
  return set === undefined ? (gateways[provider]?.minimumMinor ?? 0) : toMinor(set)
}
