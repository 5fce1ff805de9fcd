import type { adminSettings } from '@portal/contract/admin-settings'
import { PNG } from '../pictures.ts'
import { type CasesOf, callBy, type MakeCall, makeForm } from './cases.ts'

/** Returns a call that saves the current values, or a change that is refused: shared settings stay unchanged. */
const withRepeatedUpdate =
  (part: string, changed: object = {}): MakeCall =>
  async world => {
    const token = await world.superAdmin()
    const path = `/admin/settings/${part}`
    const {
      updated_at: _,
      logo: __,
      signature_image: ___,
      stamp_image: ____,
      version: _____,
      ...body
    } = await world.callOk('GET', path, { token })
    return { token, path, body: { ...body, ...changed } }
  }

const picture = (kind: string, type = 'image/png') =>
  callBy('superAdmin', {
    path: `/admin/settings/images/${kind}`,
    body: makeForm(new Uint8Array(PNG), 'picture.png', type),
  })

// Whether a setting was ever saved depends on other tests.
const free = ['updated_at', 'accent', 'version']

export const settingsCases: CasesOf<typeof adminSettings> = {
  fee: { succeeds: callBy('admin'), ignoredFields: free },
  updateFee: {
    succeeds: async world => {
      const token = await world.admin()
      const { settings } = await world.callOk('GET', '/admin/settings/verification-fee', { token })
      return { token, body: { fee: settings.verification_fee } }
    },
    refuses: {
      'less than 0': callBy('admin', { body: { fee: -1 } }),
      'too much': callBy('admin', { body: { fee: 1e9 } }),
      'no number': callBy('admin', { body: { fee: 'free' } }),
      'another currency': callBy('admin', { body: { fee: 5000, currency: 'USD' } }),
    },
    ignoredFields: free,
  },
  feeHistory: { succeeds: callBy('admin'), ignoredFields: ['changes[].user_id', 'changes[].user_email'] },
  tax: { succeeds: callBy('admin'), ignoredFields: free },
  updateTax: {
    succeeds: callBy('admin', { body: { name: 'VAT', basis_points: 0 } }),
    refuses: {
      'less than 0': callBy('admin', { body: { name: 'VAT', basis_points: -1 } }),
      'too much': callBy('admin', { body: { name: 'VAT', basis_points: 5001 } }),
      'a fraction of a basis point': callBy('admin', { body: { name: 'VAT', basis_points: 7.5 } }),
      'no name': callBy('admin', { body: { name: ' ', basis_points: 750 } }),
      'another version': callBy('admin', {
        body: { name: 'VAT', basis_points: 750 },
        headers: { 'if-match': '"99"' },
      }),
    },
    ignoredFields: free,
  },
  policies: { succeeds: callBy('superAdmin'), ignoredFields: free },
  updatePolicies: {
    succeeds: withRepeatedUpdate('policies'),
    refuses: { 'an unknown choice': withRepeatedUpdate('policies', { unknown_certificates: 'maybe' }) },
    ignoredFields: free,
  },
  institution: { succeeds: callBy('superAdmin'), ignoredFields: free },
  updateInstitution: {
    succeeds: withRepeatedUpdate('institution'),
    refuses: { 'text that is not a colour': withRepeatedUpdate('institution', { accent: 'green' }) },
    ignoredFields: free,
  },
  letter: { succeeds: callBy('superAdmin'), ignoredFields: free },
  updateLetter: {
    succeeds: withRepeatedUpdate('letter'),
    refuses: {
      'a text without the certificate': withRepeatedUpdate('letter', { opening: 'Hello.', subject: 'Hello' }),
      'an unknown placeholder': withRepeatedUpdate('letter', { thanks: 'Thank you, {nobody}.' }),
    },
    ignoredFields: free,
  },
  uploadImage: {
    succeeds: picture('stamp'),
    refuses: {
      'another kind': picture('flag'),
      'a file that is not an image': callBy('superAdmin', {
        path: '/admin/settings/images/logo',
        body: makeForm('plain text', 'logo.png', 'image/png'),
      }),
      'a picture under the name of another': callBy('superAdmin', {
        path: '/admin/settings/images/stamp',
        body: makeForm(new Uint8Array(PNG), 'stamp.jpg', 'image/jpeg'),
      }),
      'a drawing as a stamp': callBy('superAdmin', {
        path: '/admin/settings/images/stamp',
        body: makeForm('<svg xmlns="http://www.w3.org/2000/svg"/>', 'stamp.svg', 'image/svg+xml'),
      }),
    },
    ignoredFields: free,
  },
  removeImage: {
    succeeds: callBy('superAdmin', { path: '/admin/settings/images/stamp' }),
    refuses: {
      'another version': callBy('superAdmin', {
        path: '/admin/settings/images/stamp',
        headers: { 'if-match': '"0"' },
      }),
    },
    ignoredFields: free,
  },
  history: {
    succeeds: callBy('superAdmin', { path: '/admin/settings/policies/history' }),
    refuses: {
      'a group without a history': callBy('superAdmin', { path: '/admin/settings/colours/history' }),
    },
    ignoredFields: ['changes', 'pagination'],
  },
}
