import { endpoint } from '@portal/api/endpoint'
import type { adminCertificates, adminSettings } from '@portal/contract/admin'

/* Lists and buttons call without the contract's schemas: zod arrives with the first form. */

export const certificates = {
  list: endpoint<typeof adminCertificates.list>('GET', '/admin/certificates'),
  create: endpoint<typeof adminCertificates.create>('POST', '/admin/certificates'),
  update: endpoint<typeof adminCertificates.update>('PUT', '/admin/certificates/{id}'),
  remove: endpoint<typeof adminCertificates.remove>('DELETE', '/admin/certificates/{id}'),
}

export const feeSettings = {
  read: endpoint<typeof adminSettings.fee>('GET', '/admin/settings/verification-fee'),
  update: endpoint<typeof adminSettings.updateFee>('PUT', '/admin/settings/verification-fee'),
}
