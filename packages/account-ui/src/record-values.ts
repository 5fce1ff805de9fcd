import type { ChangeValue } from '@portal/contract/history'
import { formatShortDate } from '@portal/format/dates'
import { formatMoney } from '@portal/format/money'
import { roleLabel } from '@portal/session/roles'

/* Labels and text values for the fields of records. */

const labels: Readonly<Record<string, string>> = {
  matric_number: 'Matric number',
  firstname: 'First name',
  middlename: 'Middle name',
  lastname: 'Last name',
  line1: 'Address line 1',
  line2: 'Address line 2',
  phone: 'Phone number',
  is_enabled: 'Enabled',
  is_verified: 'Email verified',
  unknown_certificates: 'Numbers that are not in the register',
  public_tracking: 'Payment tracking without an account',
  staff_totp: 'Authenticator app required for staff',
  accent: 'Colour',
  for: 'Signs for',
  basis_points: 'Tax rate',
}

const toWords = (field: string) => {
  const text = field.replaceAll('_', ' ')
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/** Returns the label of a record's field: for `student_name`, 'Student name'. */
export const fieldLabel = (field: string): string => labels[field] ?? toWords(field)

const policies: Readonly<Record<string, string>> = {
  'unknown_certificates free': 'reported before payment',
  'unknown_certificates charge': 'reported after payment',
  'public_tracking full': 'shows the verified certificate',
  'public_tracking status': 'shows only the payment',
}

const isImageField = (field: string) => field === 'logo' || /_image$|^(signature|stamp)$/.test(field)

/** Formats a value as text; 'none' if it is empty. */
export function valueInWords(field: string, value: ChangeValue): string {
  if (value === null || value === '' || (Array.isArray(value) && value.length === 0)) return 'none'
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  // The fee is a number in the record and text in a form.
  if (field === 'verification_fee' || field === 'fee') return formatMoney(Number(value))
  if (Array.isArray(value)) return value.join(', ')
  // The rate is in basis points in the record; in a form, it is a percentage as text.
  if (field === 'basis_points') return `${typeof value === 'number' ? value / 100 : value}%`
  const text = String(value)
  if (isImageField(field)) return 'an image'
  if (field === 'graduation_date') return formatShortDate(text)
  if (field === 'role') return roleLabel(text as Parameters<typeof roleLabel>[0])
  return policies[`${field} ${text}`] ?? text
}
