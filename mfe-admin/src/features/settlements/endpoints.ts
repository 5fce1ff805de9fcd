import { endpoint } from '@portal/api/endpoint'
import type { adminSettlements } from '@portal/contract/admin-settlements'

export const settlements = {
  list: endpoint<typeof adminSettlements.list>('GET', '/admin/settlements'),
  lines: endpoint<typeof adminSettlements.lines>('GET', '/admin/settlements/{id}/lines'),
  upload: endpoint<typeof adminSettlements.upload>('POST', '/admin/settlements/upload'),
  differences: endpoint<typeof adminSettlements.differences>('GET', '/admin/settlement-differences'),
  explain: endpoint<typeof adminSettlements.explain>('POST', '/admin/settlement-differences/{id}/explain'),
}
