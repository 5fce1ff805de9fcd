import { formatMinor } from '@portal/format/money'
import type { ReadContact } from '../http/shell-page.ts'
import { CURRENCY } from './rules.ts'
import { readSettings } from './store.ts'

/** The fee and the contact details, for pages without JavaScript. */
export const readContact: ReadContact = async db => {
  const { fee, institution } = await readSettings(db)
  return {
    fee: formatMinor(fee.minor, CURRENCY),
    name: institution.name,
    address: institution.address,
    email: institution.support_email,
    phones: institution.support_phones,
    hours: institution.business_hours,
  }
}
