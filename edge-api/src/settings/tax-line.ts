import type { TaxLine } from '@portal/contract/tax'
import { toMajor } from '@portal/format/money'
import { includedTax } from '@portal/format/tax'

/** Returns the columns of a new payment that store the current tax; empty if there is no tax. A basis point is 0.01%. */
export const toTaxColumns = ({ name, basis_points: basisPoints }: { name: string; basis_points: number }) =>
  basisPoints > 0 ? { taxName: name, taxBasisPoints: basisPoints } : {}

/**
 * Returns the tax that a payment includes, as set when the payment was started; `amount` is in naira. Empty if there is none.
 */
export function toTaxRate(payment: {
  amountMinor: number
  taxName: string | null
  taxBasisPoints: number | null
}): { tax?: TaxLine } {
  const { amountMinor, taxName, taxBasisPoints } = payment
  if (taxName === null || taxBasisPoints === null || amountMinor === 0) return {}
  const amount = toMajor(includedTax(amountMinor, taxBasisPoints))
  return { tax: { name: taxName, basis_points: taxBasisPoints, amount } }
}
