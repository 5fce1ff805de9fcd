import type { adminSettings } from '@portal/contract/admin-settings'
import { PNG } from '../pictures.ts'
import { type CasesOf, callBy, type MakeCall, makeForm } from './cases.ts'

/**
 * Returns a call that saves the current values of a group of settings. All cases share the settings, so `changes` are only for
 * calls that are refused.
 */
const updateCall =
  (group: string, changes: object = {}): MakeCall =>
  async fixture => {
    const token = await fixture.superAdmin()
    const path = `/admin/settings/${group}`
    const {
      updated_at: _,
      logo: __,
      signature_image: ___,
      stamp_image: ____,
      version: _____,
      ...body
    } = await fixture.callOk('GET', path, { token })
    return { token, path, body: { ...body, ...changes } }
  }

const imageCall = (kind: string, type = 'image/png') =>
  callBy('superAdmin', {
    path: `/admin/settings/images/${kind}`,
    body: makeForm(new Uint8Array(PNG), 'picture.png', type),
  })

// Whether a setting was ever saved depends on other tests.
const ignoredFields = ['updated_at', 'accent', 'version']

export const settingsCases: CasesOf<typeof adminSettings> = {
  fee: { succeeds: callBy('admin'), ignoredFields },
  updateFee: {
    succeeds: async fixture => {
      const token = await fixture.admin()
      const { settings } = await fixture.callOk('GET', '/admin/settings/verification-fee', { token })
      return { token, body: { fee: settings.verification_fee } }
    },
    refuses: {
      'a negative fee': callBy('admin', { body: { fee: -1 } }),
      'a fee that is too high': callBy('admin', { body: { fee: 1e9 } }),
      'text instead of a number': callBy('admin', { body: { fee: 'free' } }),
      'another currency': callBy('admin', { body: { fee: 5000, currency: 'USD' } }),
    },
    ignoredFields,
  },
  feeHistory: { succeeds: callBy('admin'), ignoredFields: ['changes[].user_id', 'changes[].user_email'] },
  tax: { succeeds: callBy('admin'), ignoredFields },
  updateTax: {
    succeeds: callBy('admin', { body: { name: 'VAT', basis_points: 0 } }),
    refuses: {
      'a negative rate': callBy('admin', { body: { name: 'VAT', basis_points: -1 } }),
      'a rate that is too high': callBy('admin', { body: { name: 'VAT', basis_points: 5001 } }),
      'a fraction of a basis point': callBy('admin', { body: { name: 'VAT', basis_points: 7.5 } }),
      'a blank name': callBy('admin', { body: { name: ' ', basis_points: 750 } }),
      'an outdated version': callBy('admin', {
        body: { name: 'VAT', basis_points: 750 },
        headers: { 'if-match': '"99"' },
      }),
    },
    ignoredFields,
  },
  policies: { succeeds: callBy('superAdmin'), ignoredFields },
  updatePolicies: {
    succeeds: updateCall('policies'),
    refuses: { 'an unknown policy value': updateCall('policies', { unknown_certificates: 'maybe' }) },
    ignoredFields,
  },
  institution: { succeeds: callBy('superAdmin'), ignoredFields },
  updateInstitution: {
    succeeds: updateCall('institution'),
    refuses: { 'text that is not a colour': updateCall('institution', { accent: 'green' }) },
    ignoredFields,
  },
  letter: { succeeds: callBy('superAdmin'), ignoredFields },
  updateLetter: {
    succeeds: updateCall('letter'),
    refuses: {
      'a letter that does not name the certificate': updateCall('letter', {
        opening: 'Hello.',
        subject: 'Hello',
      }),
      'an unknown placeholder': updateCall('letter', { thanks: 'Thank you, {nobody}.' }),
    },
    ignoredFields,
  },
  uploadImage: {
    succeeds: imageCall('stamp'),
    refuses: {
      'an unknown kind of image': imageCall('flag'),
      'a file that is not an image': callBy('superAdmin', {
        path: '/admin/settings/images/logo',
        body: makeForm('plain text', 'logo.png', 'image/png'),
      }),
      'a PNG image that is named and sent as a JPEG': callBy('superAdmin', {
        path: '/admin/settings/images/stamp',
        body: makeForm(new Uint8Array(PNG), 'stamp.jpg', 'image/jpeg'),
      }),
      'an SVG image as a stamp': callBy('superAdmin', {
        path: '/admin/settings/images/stamp',
        body: makeForm('<svg xmlns="http://www.w3.org/2000/svg"/>', 'stamp.svg', 'image/svg+xml'),
      }),
    },
    ignoredFields,
  },
  removeImage: {
    succeeds: callBy('superAdmin', { path: '/admin/settings/images/stamp' }),
    refuses: {
      'an outdated version': callBy('superAdmin', {
        path: '/admin/settings/images/stamp',
        headers: { 'if-match': '"0"' },
      }),
    },
    ignoredFields,
  },
  history: {
    succeeds: callBy('superAdmin', { path: '/admin/settings/policies/history' }),
    refuses: {
      'a group without a history': callBy('superAdmin', { path: '/admin/settings/colours/history' }),
    },
    ignoredFields: ['changes', 'pagination'],
  },
}
