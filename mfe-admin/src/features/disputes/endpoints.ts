import { endpoint } from '@portal/api/endpoint'
import type { adminDisputes } from '@portal/contract/admin-disputes'

export const disputes = {
  list: endpoint<typeof adminDisputes.list>('GET', '/admin/disputes'),
  create: endpoint<typeof adminDisputes.create>('POST', '/admin/disputes'),
  detail: endpoint<typeof adminDisputes.detail>('GET', '/admin/disputes/{id}'),
  evidenceFile: endpoint<typeof adminDisputes.evidenceFile>('GET', '/admin/disputes/{id}/evidence'),
  saveNote: endpoint<typeof adminDisputes.saveNote>('PUT', '/admin/disputes/{id}/note'),
  accept: endpoint<typeof adminDisputes.accept>('POST', '/admin/disputes/{id}/accept'),
  contest: endpoint<typeof adminDisputes.contest>('POST', '/admin/disputes/{id}/contest'),
  record: endpoint<typeof adminDisputes.record>('POST', '/admin/disputes/{id}/record'),
}
