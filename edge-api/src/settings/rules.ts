import { institution } from '@portal/contract/verification'
import * as z from 'zod'

/** Every setting with its shape and what stands until someone sets it. */
export const settingShapes = {
  fee: z.object({ minor: z.int().min(0) }),
  policies: z.object({
    unknown_certificates: z.enum(['free', 'charge']),
    public_tracking: z.enum(['full', 'status']),
  }),
  institution,
  signature: z.object({
    name: z.string(),
    title: z.string(),
    for: z.string(),
    email: z.string(),
    signature_image: z.string().nullable(),
    stamp_image: z.string().nullable(),
  }),
}

export type Settings = { [Key in keyof typeof settingShapes]: z.infer<(typeof settingShapes)[Key]> }

export const settingDefaults: Settings = {
  fee: { minor: 500_000 },
  policies: { unknown_certificates: 'free', public_tracking: 'full' },
  institution: {
    name: 'University Registry',
    short_name: 'Registry',
    address: 'Office of the Registrar',
    logo: null,
    support_email: 'registry@localhost',
    support_phones: [],
    business_hours: '8 AM to 5 PM',
  },
  signature: {
    name: 'The Registrar',
    title: 'Registrar',
    for: 'Registrar',
    email: 'registry@localhost',
    signature_image: null,
    stamp_image: null,
  },
}

/** The only currency that is charged. */
export const CURRENCY = 'NGN'
