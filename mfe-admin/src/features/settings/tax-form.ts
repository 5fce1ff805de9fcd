import { taxUpdate } from '@portal/contract/admin-settings'
import * as z from 'zod'

/** The percentage is text until it is submitted, so that blank differs from 0. */
export const taxFormSchema = z
  .object({
    name: taxUpdate.shape.name,
    basis_points: z
      .string()
      .transform(text => (text.trim() === '' ? Number.NaN : Number(text)))
      // Removes the floating-point error of 7.55 × 100, but keeps the third decimal, which the schema rejects.
      .transform(percent => Math.round(percent * 1_000_000) / 10_000)
      .pipe(taxUpdate.shape.basis_points),
  })
  .required()
export type TaxForm = z.input<typeof taxFormSchema>
export type TaxBody = z.output<typeof taxFormSchema>

/** Formats a rate for the field: `7.5`. */
export const formatRate = (basisPoints: number) => String(basisPoints / 100)
