import { parseAmount } from '@portal/format/amount'
import * as z from 'zod'

const INVALID_AMOUNT = 'Please enter an amount above 0.'

/** Schema for an amount as typed, such as `50,000.00`. */
export const typedAmount = z.string().transform((text, context) => {
  const amount = parseAmount(text)
  if (amount !== undefined && amount > 0) return amount
  context.addIssue({ code: 'custom', message: INVALID_AMOUNT })
  return z.NEVER
})
