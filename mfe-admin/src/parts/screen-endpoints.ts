// The endpoints of all screens except the first, whose endpoints are in endpoints.ts, so that the first screen loads no others.
import { endpoint } from '@portal/api/endpoint'
import type { adminCertificates } from '@portal/contract/admin-certificates'
import type { adminReports } from '@portal/contract/admin-reports'
import type { adminSearch } from '@portal/contract/admin-search'
import type { adminSettings } from '@portal/contract/admin-settings'
import type { adminUploads } from '@portal/contract/admin-uploads'
import type { auth } from '@portal/contract/auth'
import type { backgroundWork as backgroundWorkRoutes } from '@portal/contract/background-work'
import type { registerChanges as changeRoutes } from '@portal/contract/register-changes'
import type { registerJobs as jobRoutes } from '@portal/contract/register-jobs'

export const certificates = {
  list: endpoint<typeof adminCertificates.list>('GET', '/admin/certificates'),
  create: endpoint<typeof adminCertificates.create>('POST', '/admin/certificates'),
  update: endpoint<typeof adminCertificates.update>('PUT', '/admin/certificates/{id}'),
  remove: endpoint<typeof adminCertificates.remove>('DELETE', '/admin/certificates/{id}'),
  restore: endpoint<typeof adminCertificates.restore>('POST', '/admin/certificates/{id}/restore'),
  facets: endpoint<typeof adminCertificates.facets>('GET', '/admin/certificates/facets'),
  read: endpoint<typeof adminCertificates.read>('GET', '/admin/certificates/{id}'),
  history: endpoint<typeof adminCertificates.history>('GET', '/admin/certificates/{id}/history'),
  letters: endpoint<typeof adminCertificates.letters>('GET', '/admin/certificates/{id}/letters'),
}

export const registerJobs = {
  preview: endpoint<typeof jobRoutes.preview>('POST', '/admin/register-jobs/preview'),
  create: endpoint<typeof jobRoutes.create>('POST', '/admin/register-jobs'),
  list: endpoint<typeof jobRoutes.list>('GET', '/admin/register-jobs'),
  read: endpoint<typeof jobRoutes.read>('GET', '/admin/register-jobs/{id}'),
  cancel: endpoint<typeof jobRoutes.cancel>('DELETE', '/admin/register-jobs/{id}'),
  report: endpoint<typeof jobRoutes.report>('GET', '/admin/register-jobs/{id}/report'),
}

export const registerChanges = endpoint<typeof changeRoutes.list>('GET', '/admin/register-changes')

export const settingsHistory = endpoint<typeof adminSettings.history>(
  'GET',
  '/admin/settings/{group}/history',
)

export const uploads = {
  template: endpoint<typeof adminUploads.template>('GET', '/admin/certificates/template'),
  upload: endpoint<typeof adminUploads.upload>('POST', '/admin/certificates/upload'),
  list: endpoint<typeof adminUploads.list>('GET', '/admin/certificates/uploads'),
  read: endpoint<typeof adminUploads.read>('GET', '/admin/certificates/uploads/{id}'),
  cancel: endpoint<typeof adminUploads.cancel>('DELETE', '/admin/certificates/uploads/{id}'),
  rows: endpoint<typeof adminUploads.rows>('GET', '/admin/certificates/uploads/{id}/rows'),
  report: endpoint<typeof adminUploads.report>('GET', '/admin/certificates/uploads/{id}/report'),
}

export const feeSettings = {
  read: endpoint<typeof adminSettings.fee>('GET', '/admin/settings/verification-fee'),
  update: endpoint<typeof adminSettings.updateFee>('PUT', '/admin/settings/verification-fee'),
  tax: endpoint<typeof adminSettings.tax>('GET', '/admin/settings/tax'),
  updateTax: endpoint<typeof adminSettings.updateTax>('PUT', '/admin/settings/tax'),
  history: endpoint<typeof adminSettings.feeHistory>('GET', '/admin/settings/fee-history'),
}

export const backgroundWork = {
  list: endpoint<typeof backgroundWorkRoutes.list>('GET', '/admin/background-work'),
  retry: endpoint<typeof backgroundWorkRoutes.retry>('POST', '/admin/background-work/{queue}/{item}/retry'),
}

export const reports = {
  authentications: endpoint<typeof adminReports.authentications>('GET', '/admin/authentications'),
  transactions: endpoint<typeof adminReports.transactions>('GET', '/admin/bpms/transactions'),
  summary: endpoint<typeof adminReports.summary>('GET', '/admin/bpms/reports'),
}

/** The account that is logged in, as the shell's header shows it. */
export const ownProfile = endpoint<typeof auth.profile>('GET', '/auth/profile')

export const quickSearch = endpoint<typeof adminSearch.everything>('GET', '/admin/search')
