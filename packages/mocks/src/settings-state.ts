import type { FeeChange } from '@portal/contract/admin-settings'
import type { VerificationTemplate } from '@portal/contract/letter'
import { defaultLetterTexts, type LetterTexts } from '@portal/contract/letter-texts'
import type { Policies } from '@portal/contract/policies'
import type { TaxRate } from '@portal/contract/tax'
import type { Institution } from '@portal/contract/verification'
import { demoImageAddress, demoImages } from '@portal/fixtures/demo-images'
import { demoFeeChanges, demoInstitution, demoSignatory } from '@portal/fixtures/institution'
import { demoBankDetails } from '@portal/fixtures/organisations'
import { toMajor } from '@portal/format/money'
import { CURRENCY } from './currency.ts'

/** The settings that super admins manage, except for the fee. */
export interface MockSettings {
  policies: Policies
  /** Absent in a state saved by an older version. */
  tax?: TaxRate
  institution: Institution
  accent: string | null
  /** Absent in a state saved by an older version. */
  bank_details?: string[]
  signature: VerificationTemplate['signature']
  texts: LetterTexts
  /** Newest first. */
  fee_changes: FeeChange[]
  /** Images as data URLs, by the URL at which they are served. */
  images: Record<string, string>
  /** When each section was last saved. */
  updated: { institution?: string; letter?: string; policies?: string; tax?: string }
}

/** Returns the settings of the demo data, as of `now`. */
export const demoSettings = (now: Date): MockSettings => ({
  policies: { unknown_certificates: 'free', public_tracking: 'full', staff_totp: false, organisations: 'on' },
  institution: demoInstitution,
  accent: null,
  bank_details: demoBankDetails,
  signature: demoSignatory,
  texts: defaultLetterTexts,
  fee_changes: demoFeeChanges(now.getTime())
    .map(({ at, actor, from_minor, to_minor }, index) => ({
      id: index + 1,
      changed_at: new Date(at).toISOString(),
      user_id: actor.id,
      user_email: actor.email,
      from_fee: toMajor(from_minor),
      to_fee: toMajor(to_minor),
      currency: CURRENCY,
    }))
    .reverse(),
  images: {
    [demoImageAddress('signature')]: `data:image/png;base64,${demoImages.signature.base64}`,
    [demoImageAddress('stamp')]: `data:image/png;base64,${demoImages.stamp.base64}`,
  },
  updated: {},
})

/** Returns the tax that is included in the fee; a rate of 0 means no tax. */
export const taxOf = ({ tax }: MockSettings): TaxRate => tax ?? { name: 'VAT', basis_points: 0 }
