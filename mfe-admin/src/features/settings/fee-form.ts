import { feeUpdate } from '@portal/contract/admin-settings'
import * as z from 'zod'

/** The field holds text until it is sent; blank is no number, not zero. */
export const feeFormSchema = z.object({
  fee: z
    .string()
    .transform(text => (text.trim() === '' ? Number.NaN : Number(text)))
    .pipe(feeUpdate.shape.fee),
})
export type FeeForm = z.input<typeof feeFormSchema>
export type FeeBody = z.output<typeof feeFormSchema>

/** An amount as the field shows it: major units with two decimals. */
export const feeText = (amount: number) => amount.toFixed(2)
