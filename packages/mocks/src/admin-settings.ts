import type { FeeChange, ImageKind, adminSettings as routes } from '@portal/contract/admin-settings'
import { toMajor, toMinor } from '@portal/format/money'
import { CURRENCY, MINIMUM_MINOR } from './currency.ts'
import { invalidField } from './fault.ts'
import { newId } from './ids.ts'
import { pageOf } from './page-of.ts'
import type { HandlersOf } from './serve.ts'
import { taxOf } from './settings-state.ts'
import type { MockState } from './state.ts'

const feeOf = ({ fee }: MockState) => ({
  settings: { verification_fee: toMajor(fee.minor), currency: CURRENCY },
  minimum_payment: toMajor(MINIMUM_MINOR),
  updated_at: fee.updated_at,
})

const taxReply = ({ settings }: MockState) => ({
  ...taxOf(settings),
  updated_at: settings.updated.tax ?? null,
})

const letterOf = ({ settings: { signature, texts, updated } }: MockState) => ({
  ...signature,
  ...texts,
  updated_at: updated.letter ?? null,
})

const institutionOf = ({ settings: { institution, accent, updated } }: MockState) => ({
  ...institution,
  accent,
  updated_at: updated.institution ?? null,
})

const policiesOf = ({ settings: { policies, updated } }: MockState) => ({
  ...policies,
  updated_at: updated.policies ?? null,
})

const labels: Record<ImageKind, string> = { logo: 'Logo', signature: 'Signature', stamp: 'Stamp' }
/** File extensions with their magic bytes, required name and error message. */
const types = [
  [
    'png',
    /^data:[^,]*,iVBORw0KGgo/,
    /^[^.]*$|\.png$/i,
    'This is a PNG image: please give it a name that ends in .png.',
  ],
  [
    'jpg',
    /^data:[^,]*,\/9j\//,
    /^[^.]*$|\.jpe?g$/i,
    'This is a JPEG image: please give it a name that ends in .jpg or .jpeg.',
  ],
  [
    'svg',
    /^data:image\/svg\+xml;/,
    /^[^.]*$|\.svg$/i,
    'This is an SVG image: please give it a name that ends in .svg.',
  ],
] as const

function place(state: MockState, kind: ImageKind, image: string | null) {
  const { settings } = state
  if (kind === 'logo') settings.institution = { ...settings.institution, logo: image }
  else settings.signature = { ...settings.signature, [`${kind}_image`]: image }
}

function refuse(message: string): never {
  throw invalidField('file', message)
}

export const adminSettings: HandlersOf<typeof routes> = {
  fee: ({ state }) => feeOf(state),
  updateFee({ body, state, now, user }) {
    const minor = toMinor(body.fee)
    if (minor !== state.fee.minor) {
      const change: FeeChange = {
        id: state.settings.fee_changes.length + 1,
        changed_at: now.toISOString(),
        user_id: user.id,
        user_email: user.email,
        from_fee: toMajor(state.fee.minor),
        to_fee: toMajor(minor),
        currency: CURRENCY,
      }
      state.settings.fee_changes.unshift(change)
      state.fee = { minor, updated_at: now.toISOString() }
    }
    return { message: 'Verification fee updated.', ...feeOf(state) }
  },
  feeHistory({ query, state }) {
    const { rows: changes, pagination } = pageOf(state.settings.fee_changes, query)
    return { changes, pagination }
  },
  tax: ({ state }) => taxReply(state),
  updateTax({ body, state, now }) {
    const { settings } = state
    const before = taxOf(settings)
    settings.tax = body
    if (JSON.stringify(body) !== JSON.stringify(before)) settings.updated.tax = now.toISOString()
    return { message: 'Tax saved.', ...taxReply(state) }
  },
  policies: ({ state }) => policiesOf(state),
  updatePolicies({ body, state, now }) {
    const { settings } = state
    const { policies: before } = settings
    settings.policies = {
      unknown_certificates: body.unknown_certificates ?? before.unknown_certificates,
      public_tracking: body.public_tracking ?? before.public_tracking,
      staff_totp: body.staff_totp ?? before.staff_totp,
    }
    if (JSON.stringify(settings.policies) !== JSON.stringify(before))
      settings.updated.policies = now.toISOString()
    return { message: 'Policies saved.', ...policiesOf(state) }
  },
  institution: ({ state }) => institutionOf(state),
  updateInstitution({ body: { accent, ...profile }, state, now }) {
    const { settings } = state
    settings.institution = { ...profile, logo: settings.institution.logo }
    settings.accent = accent
    settings.updated.institution = now.toISOString()
    return { message: 'Institution profile saved.', ...institutionOf(state) }
  },
  letter: ({ state }) => letterOf(state),
  updateLetter({ body: { subject, opening, closing, thanks, ...signatory }, state, now }) {
    const { settings } = state
    settings.signature = { ...settings.signature, ...signatory }
    settings.texts = { subject, opening, closing, thanks }
    settings.updated.letter = now.toISOString()
    return { message: 'Letter template saved.', ...letterOf(state) }
  },
  uploadImage({ params: { kind }, file, state }) {
    if (!file) refuse('Please select a file first')
    const [ending, , named, misnamed] = types.find(([, looks]) => looks.test(file.data)) ?? []
    if (!ending || (ending === 'svg' && kind !== 'logo'))
      refuse(`Please choose a PNG${kind === 'logo' ? ', JPEG or SVG' : ' or JPEG'} image.`)
    if (!named?.test(file.name)) refuse(misnamed ?? '')
    // As long as a real hash, so that URLs look alike.
    const image = `/api/images/${(newId() + newId()).replaceAll('-', '')}.${ending}`
    state.settings.images[image] = file.data
    place(state, kind, image)
    return { message: `${labels[kind]} saved.`, image }
  },
  removeImage({ params: { kind }, state }) {
    place(state, kind, null)
    return { message: `${labels[kind]} removed.` }
  },
}
