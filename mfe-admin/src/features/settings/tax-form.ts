import { taxUpdate } from '@portal/contract/admin-settings'
import * as z from 'zod'

/** The rate is typed as a percentage; blank is no number, not zero. */
export const taxFormSchema = z
  .object({
    name: taxUpdate.shape.name,
    basis_points: z
      .string()
      .transform(text => (text.trim() === '' ? Number.NaN : Number(text)))
      // 7.55 times 100 is no whole number for a computer.
      .transform(percent => Math.round(percent * 1_000_000) / 10_000)
      .pipe(taxUpdate.shape.basis_points),
  })
  .required()
export type TaxForm = z.input<typeof taxFormSchema>
export type TaxBody = z.output<typeof taxFormSchema>

/** A rate as the field shows it: `7.5`. */
export const rateText = (basisPoints: number) => String(basisPoints / 100)
