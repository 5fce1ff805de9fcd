import type { InstitutionSettings, LetterSettings } from '@portal/contract/admin-settings'

/* Fields that are missing from the response are filled in as blank, so that they do not crash the screen. */

const blankInstitution: InstitutionSettings = {
  name: '',
  short_name: '',
  address: '',
  support_email: '',
  support_phones: [],
  business_hours: '',
  accent: null,
  bank_details: [],
  logo: null,
  updated_at: null,
  version: 1,
}

const blankLetter: LetterSettings = {
  name: '',
  title: '',
  for: '',
  email: '',
  subject: '',
  opening: '',
  closing: '',
  thanks: '',
  signature_image: null,
  stamp_image: null,
  updated_at: null,
  version: 1,
}

/** Returns the fields that are present; null counts as missing. */
const pickPresentFields = <Fields extends object>(received: Fields) =>
  Object.fromEntries(Object.entries(received).filter(([, value]) => value !== null)) as Fields

/** Returns institution settings with every field present. */
export const completeInstitution = (received: Partial<InstitutionSettings>): InstitutionSettings => ({
  ...blankInstitution,
  ...pickPresentFields(received),
})

/** Returns letter settings with every field present. */
export const completeLetter = (received: Partial<LetterSettings>): LetterSettings => ({
  ...blankLetter,
  ...pickPresentFields(received),
})
