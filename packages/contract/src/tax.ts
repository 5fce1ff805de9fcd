import './zod-setup.ts'
import * as z from 'zod'
import { money } from './shapes.ts'

/** Maximum tax rate: 50%. */
export const MAX_TAX_BASIS_POINTS = 5000

/** A tax included in the fee. */
export const taxRate = z.object({
  name: z.string(),
  basis_points: z.int().describe('Hundredths of a percent: 750 is 7.5%.'),
})
export type TaxRate = z.infer<typeof taxRate>

/** A tax with its amount, which is fixed when the payment starts. */
export const taxLine = taxRate.extend({ amount: money })
export type TaxLine = z.infer<typeof taxLine>
