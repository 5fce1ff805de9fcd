import { adminCertificates, adminSettings } from '@portal/contract/admin'
import { adminUsers } from '@portal/contract/admin-users'
import { expect, it } from 'vitest'
import { accounts, certificates, feeSettings } from './endpoints.ts'

// Types hold each method and path to some route; this holds it to the right one.
it.each([
  [certificates.list, adminCertificates.list],
  [certificates.create, adminCertificates.create],
  [certificates.update, adminCertificates.update],
  [certificates.remove, adminCertificates.remove],
  [feeSettings.read, adminSettings.fee],
  [feeSettings.update, adminSettings.updateFee],
  [accounts.list, adminUsers.list],
  [accounts.create, adminUsers.create],
  [accounts.update, adminUsers.update],
  [accounts.toggleStatus, adminUsers.toggleStatus],
  [accounts.verifyEmail, adminUsers.verifyEmail],
  [accounts.changeRole, adminUsers.changeRole],
  [accounts.resendVerification, adminUsers.resendVerification],
])('calls what the contract says', (called, route) => {
  expect(called).toMatchObject({ method: route.method, path: route.path })
})
