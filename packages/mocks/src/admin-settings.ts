import type {
  FeeChange,
  ImageKind,
  adminSettings as routes,
  SettingGroup,
} from '@portal/contract/admin-settings'
import type { Change, ChangeValue } from '@portal/contract/history'
import { toMajor, toMinor } from '@portal/format/money'
import { settingsMessages, uploadMessages } from '@portal/rules/messages'
import { CURRENCY, MINIMUM_MINOR } from './currency.ts'
import { invalidField } from './fault.ts'
import { changesOf, fieldChanges, recordChange, requireVersion } from './history.ts'
import { newId } from './ids.ts'
import { paginateRows } from './paginate-rows.ts'
import type { HandlersOf } from './serve.ts'
import { taxOf } from './settings-state.ts'
import type { MockState, MockUser } from './state.ts'

type Group = Exclude<SettingGroup, 'fee'>

/** Returns the version of a group of settings: the number of its recorded changes plus 1. */
const versionOf = (state: MockState, group: Group) => changesOf(state, 'setting', group).length + 1

type Values = Record<string, ChangeValue>

/** Records a change to a group of settings, if anything has changed. */
function recordSettingsChange(
  call: { state: MockState; user: MockUser; now: Date },
  group: Group,
  { before, after }: { before: object; after: object },
): void {
  const { state, now } = call
  const changes = fieldChanges(before as Values, after as Values)
  if (changes.length === 0) return
  const version = versionOf(state, group) + 1
  recordChange(call, { kind: 'setting', id: group, version, action: 'updated', changes })
  state.settings.updated[group] = now.toISOString()
}

/** Returns the fee changes in the format of a settings history. */
const feeChanges = ({ settings }: MockState): Change[] =>
  settings.fee_changes.map((change, index) => ({
    version: settings.fee_changes.length + 1 - index,
    action: 'updated',
    at: change.changed_at,
    actor: change.user_id === null ? null : { id: change.user_id, email: change.user_email },
    source: { kind: change.user_id === null ? 'system' : 'form', id: null, label: null },
    reason: null,
    changes: [{ field: 'verification_fee', from: change.from_fee, to: change.to_fee }],
  }))

const feeOf = ({ fee, settings }: MockState) => ({
  settings: { verification_fee: toMajor(fee.minor), currency: CURRENCY },
  minimum_payment: toMajor(MINIMUM_MINOR),
  updated_at: fee.updated_at,
  version: settings.fee_changes.length + 1,
})

const taxReply = (state: MockState) => ({
  ...taxOf(state.settings),
  updated_at: state.settings.updated.tax ?? null,
  version: versionOf(state, 'tax'),
})

const toLetterSettings = (state: MockState) => ({
  ...state.settings.signature,
  ...state.settings.texts,
  updated_at: state.settings.updated.letter ?? null,
  version: versionOf(state, 'letter'),
})

const toInstitution = (state: MockState) => ({
  ...state.settings.institution,
  accent: state.settings.accent,
  bank_details: state.settings.bank_details ?? [],
  updated_at: state.settings.updated.institution ?? null,
  version: versionOf(state, 'institution'),
})

const toPolicies = (state: MockState) => ({
  ...state.settings.policies,
  updated_at: state.settings.updated.policies ?? null,
  version: versionOf(state, 'policies'),
})

const labels: Record<ImageKind, string> = { logo: 'Logo', signature: 'Signature', stamp: 'Stamp' }
/**
 * Accepted image types: the extension, patterns for the content and for the file name, and the error message for a file name
 * that does not match.
 */
const imageTypes = [
  ['png', /^data:[^,]*,iVBORw0KGgo/, /^[^.]*$|\.png$/i, settingsMessages.misnamedPng],
  ['jpg', /^data:[^,]*,\/9j\//, /^[^.]*$|\.jpe?g$/i, settingsMessages.misnamedJpeg],
  ['svg', /^data:image\/svg\+xml;/, /^[^.]*$|\.svg$/i, settingsMessages.misnamedSvg],
] as const

const groupOf = (kind: ImageKind) => (kind === 'logo' ? 'institution' : 'letter')

/**
 * Sets or removes an image.
 * @returns the new version of the group of settings that has the image
 */
function setImage(
  call: { state: MockState; user: MockUser; now: Date },
  kind: ImageKind,
  image: string | null,
): number {
  const { state } = call
  const { settings } = state
  const group = groupOf(kind)
  const valuesOf = () => (kind === 'logo' ? settings.institution : settings.signature)
  const before = valuesOf()
  if (kind === 'logo') settings.institution = { ...settings.institution, logo: image }
  else settings.signature = { ...settings.signature, [`${kind}_image`]: image }
  recordSettingsChange(call, group, { before, after: valuesOf() })
  return versionOf(state, group)
}

function refuse(message: string): never {
  throw invalidField('file', message)
}

export const adminSettings: HandlersOf<typeof routes> = {
  fee: ({ state }) => feeOf(state),
  updateFee(call) {
    const { body, state, now, user } = call
    requireVersion(call, feeOf(state).version)
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
    return { message: settingsMessages.feeUpdated, ...feeOf(state) }
  },
  feeHistory({ query, state }) {
    const { rows: changes, pagination } = paginateRows(state.settings.fee_changes, query)
    return { changes, pagination }
  },
  tax: ({ state }) => taxReply(state),
  updateTax(call) {
    const { body, state } = call
    const { settings } = state
    requireVersion(call, versionOf(state, 'tax'))
    const before = taxOf(settings)
    settings.tax = body
    recordSettingsChange(call, 'tax', { before, after: body })
    return { message: 'Tax saved.', ...taxReply(state) }
  },
  policies: ({ state }) => toPolicies(state),
  updatePolicies(call) {
    const { body, state } = call
    const { settings } = state
    requireVersion(call, versionOf(state, 'policies'))
    const { policies: before } = settings
    settings.policies = {
      unknown_certificates: body.unknown_certificates ?? before.unknown_certificates,
      public_tracking: body.public_tracking ?? before.public_tracking,
      staff_totp: body.staff_totp ?? before.staff_totp,
      organisations: body.organisations ?? before.organisations,
    }
    recordSettingsChange(call, 'policies', { before, after: settings.policies })
    return { message: settingsMessages.policiesSaved, ...toPolicies(state) }
  },
  institution: ({ state }) => toInstitution(state),
  updateInstitution(call) {
    const { body, state } = call
    const { accent, bank_details = state.settings.bank_details ?? [], ...profile } = body
    const { settings } = state
    requireVersion(call, versionOf(state, 'institution'))
    const before = { ...settings.institution, accent: settings.accent }
    settings.institution = { ...profile, logo: settings.institution.logo }
    settings.accent = accent
    settings.bank_details = bank_details
    recordSettingsChange(call, 'institution', { before, after: { ...settings.institution, accent } })
    return { message: settingsMessages.institutionSaved, ...toInstitution(state) }
  },
  letter: ({ state }) => toLetterSettings(state),
  updateLetter(call) {
    const { body, state } = call
    const { subject, opening, closing, thanks, ...signatory } = body
    const { settings } = state
    requireVersion(call, versionOf(state, 'letter'))
    const before = { ...settings.signature, ...settings.texts }
    settings.signature = { ...settings.signature, ...signatory }
    settings.texts = { subject, opening, closing, thanks }
    recordSettingsChange(call, 'letter', { before, after: { ...settings.signature, ...settings.texts } })
    return { message: settingsMessages.letterSaved, ...toLetterSettings(state) }
  },
  uploadImage(call) {
    const { params, file, state } = call
    const { kind } = params
    if (!file) refuse(uploadMessages.noFile)
    const [extension, , namePattern, misnamed] =
      imageTypes.find(([, contentPattern]) => contentPattern.test(file.data)) ?? []
    if (!extension || (extension === 'svg' && kind !== 'logo'))
      refuse(`Please choose a PNG${kind === 'logo' ? ', JPEG or SVG' : ' or JPEG'} image.`)
    if (!namePattern?.test(file.name)) refuse(misnamed ?? '')
    requireVersion(call, versionOf(state, groupOf(kind)))
    // As long as a real hash, so that URLs look the same.
    const image = `/api/images/${(newId() + newId()).replaceAll('-', '')}.${extension}`
    state.settings.images[image] = file.data
    return { message: `${labels[kind]} saved.`, image, version: setImage(call, kind, image) }
  },
  removeImage(call) {
    const { kind } = call.params
    requireVersion(call, versionOf(call.state, groupOf(kind)))
    return { message: `${labels[kind]} removed.`, version: setImage(call, kind, null) }
  },
  history({ params: { group }, query, state }) {
    const allChanges = group === 'fee' ? feeChanges(state) : changesOf(state, 'setting', group)
    const { rows: changes, pagination } = paginateRows(allChanges, query)
    return { changes, pagination }
  },
}
