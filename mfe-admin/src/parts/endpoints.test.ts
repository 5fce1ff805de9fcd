import { adminCertificates, adminSettings } from '@portal/contract/admin'
import { adminAnalytics } from '@portal/contract/admin-analytics'
import { adminLogs } from '@portal/contract/admin-logs'
import { adminUploads } from '@portal/contract/admin-uploads'
import { adminUsers } from '@portal/contract/admin-users'
import { auth } from '@portal/contract/auth'
import { health } from '@portal/contract/health'
import { expect, it } from 'vitest'
import {
  accounts,
  activityLogs,
  analytics,
  certificates,
  feeSettings,
  ownProfile,
  systemHealth,
  uploads,
} from './endpoints.ts'

// Types hold each method and path to some route; this holds it to the right one.
it.each([
  [certificates.list, adminCertificates.list],
  [certificates.create, adminCertificates.create],
  [certificates.update, adminCertificates.update],
  [certificates.remove, adminCertificates.remove],
  [uploads.template, adminUploads.template],
  [uploads.upload, adminUploads.upload],
  [uploads.list, adminUploads.list],
  [uploads.cancel, adminUploads.cancel],
  [uploads.rows, adminUploads.rows],
  [uploads.report, adminUploads.report],
  [feeSettings.read, adminSettings.fee],
  [feeSettings.update, adminSettings.updateFee],
  [ownProfile, auth.profile],
  [accounts.list, adminUsers.list],
  [accounts.create, adminUsers.create],
  [accounts.update, adminUsers.update],
  [accounts.toggleStatus, adminUsers.toggleStatus],
  [accounts.verifyEmail, adminUsers.verifyEmail],
  [accounts.changeRole, adminUsers.changeRole],
  [accounts.resendVerification, adminUsers.resendVerification],
  [activityLogs.list, adminLogs.list],
  [analytics.dashboard, adminAnalytics.dashboard],
  [systemHealth.alive, health.alive],
  [systemHealth.ready, health.ready],
])('calls what the contract says', (called, route) => {
  expect(called).toMatchObject({ method: route.method, path: route.path })
})
