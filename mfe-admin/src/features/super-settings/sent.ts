import type { InstitutionSettings, LetterSettings } from '@portal/contract/admin-settings'

/* A server that leaves a field out must not take the screen down: what it does not say is blank, to be filled in. */

const blankInstitution: InstitutionSettings = {
  name: '',
  short_name: '',
  address: '',
  support_email: '',
  support_phones: [],
  business_hours: '',
  accent: null,
  logo: null,
  updated_at: null,
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
}

/** What has a value: also a null stands for one that was left out. */
const said = <Fields extends object>(sent: Fields) =>
  Object.fromEntries(Object.entries(sent).filter(([, value]) => value !== null)) as Fields

/** The institution's settings, with every field there. */
export const institutionSent = (sent: Partial<InstitutionSettings>): InstitutionSettings => ({
  ...blankInstitution,
  ...said(sent),
})

/** The letter's settings, with every field there. */
export const letterSent = (sent: Partial<LetterSettings>): LetterSettings => ({
  ...blankLetter,
  ...said(sent),
})
