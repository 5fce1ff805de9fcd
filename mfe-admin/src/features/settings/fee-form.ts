import { feeUpdate } from '@portal/contract/admin-settings'
import * as z from 'zod'

/** The fee is text until it is submitted, so that blank differs from 0. */
export const feeFormSchema = z.object({
  fee: z
    .string()
    .transform(text => (text.trim() === '' ? Number.NaN : Number(text)))
    .pipe(feeUpdate.shape.fee),
})
export type FeeForm = z.input<typeof feeFormSchema>
export type FeeBody = z.output<typeof feeFormSchema>

/** Formats an amount for the field: major units with two decimals. */
export const feeText = (amount: number) => amount.toFixed(2)
