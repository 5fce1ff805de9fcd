import './zod-setup.ts'
import * as z from 'zod'

/** `free`: an unknown number costs nothing. `charge`: the payer pays to find out whether a number exists. */
export const unknownCertificates = z.enum(['free', 'charge'], { error: 'Please use free or charge.' })
/** What people without an account see of a payment: also the verified certificate (`full`), or only the payment (`status`). */
export const publicTracking = z.enum(['full', 'status'], { error: 'Please use full or status.' })

export const policies = z.object({
  unknown_certificates: unknownCertificates,
  public_tracking: publicTracking,
  /** True if staff need a second factor to log in. */
  staff_totp: z.boolean({ error: 'Please use true or false.' }),
  /** `on`: new organisations can be created. Existing ones keep working in any case. */
  organisations: z.enum(['off', 'on'], { error: 'Please use off or on.' }),
})
export type Policies = z.infer<typeof policies>

/** Omitted fields keep their values. */
export const policiesUpdate = policies.partial()
