import { adminCertificates, adminSettings } from '@portal/contract/admin'
import { expect, it } from 'vitest'
import { certificates, feeSettings } from './endpoints.ts'

// Types hold each method and path to some route; this holds it to the right one.
it.each([
  [certificates.list, adminCertificates.list],
  [certificates.create, adminCertificates.create],
  [certificates.update, adminCertificates.update],
  [certificates.remove, adminCertificates.remove],
  [feeSettings.read, adminSettings.fee],
  [feeSettings.update, adminSettings.updateFee],
])('calls what the contract says', (called, route) => {
  expect(called).toMatchObject({ method: route.method, path: route.path })
})
