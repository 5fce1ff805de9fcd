import type { TaxLine } from '@portal/contract/tax'
import { toMajor } from '@portal/format/money'
import { includedTax } from '@portal/format/tax'

/** The current tax, stored with each new payment. */
export const taxColumns = ({ name, basis_points: basisPoints }: { name: string; basis_points: number }) =>
  basisPoints > 0 ? { taxName: name, taxBasisPoints: basisPoints } : {}

/** The tax of a payment as of its start, or none. */
export function taxOf(payment: {
  amountMinor: number
  taxName: string | null
  taxBasisPoints: number | null
}): { tax?: TaxLine } {
  const { amountMinor, taxName, taxBasisPoints } = payment
  if (taxName === null || taxBasisPoints === null || amountMinor === 0) return {}
  const amount = toMajor(includedTax(amountMinor, taxBasisPoints))
  return { tax: { name: taxName, basis_points: taxBasisPoints, amount } }
}
