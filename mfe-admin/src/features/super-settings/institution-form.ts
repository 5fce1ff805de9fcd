import { type InstitutionSettings, institutionUpdate } from '@portal/contract/admin-settings'
import { optionalPhone } from '@portal/contract/fields'
import * as z from 'zod'

const { support_phones: _, accent, bank_details, ...otherFields } = institutionUpdate.shape

/** Schema of the form: two phone lines, bank details that may be blank, and a colour for which blank means the default. */
export const institutionForm = z
  .object({
    ...otherFields,
    phone_1: optionalPhone(),
    phone_2: optionalPhone(),
    accent: z
      .string()
      .transform(typed => (typed.trim() === '' ? null : typed.trim()))
      .pipe(accent),
    /** Bank details are typed as lines of text; blank lines do not count. */
    bank_details: z
      .string()
      .transform(typed => typed.split('\n').flatMap(line => line.trim() || []))
      .pipe(bank_details.unwrap()),
  })
  .transform(({ phone_1, phone_2, ...fields }) => ({
    ...fields,
    support_phones: [phone_1 ?? '', phone_2 ?? ''].filter(phone => phone !== ''),
  }))

export type InstitutionValues = z.input<typeof institutionForm>
export type InstitutionBody = z.output<typeof institutionForm>

/** Returns the initial form values. */
export const toInstitutionValues = (settings: InstitutionSettings): InstitutionValues => ({
  name: settings.name,
  short_name: settings.short_name,
  address: settings.address,
  support_email: settings.support_email,
  phone_1: settings.support_phones[0] ?? '',
  phone_2: settings.support_phones[1] ?? '',
  business_hours: settings.business_hours,
  accent: settings.accent ?? '',
  bank_details: settings.bank_details.join('\n'),
})
