import { endpoint } from '@portal/api/endpoint'
import type { adminOrganisations } from '@portal/contract/admin-organisations'
import { paths } from '@portal/router/paths'

type Routes = typeof adminOrganisations

export const organisations = {
  list: endpoint<Routes['list']>('GET', '/admin/organisations'),
  read: endpoint<Routes['read']>('GET', '/admin/organisations/{id}'),
  movements: endpoint<Routes['movements']>('GET', '/admin/organisations/{id}/movements'),
  vet: endpoint<Routes['vet']>('POST', '/admin/organisations/{id}/vet'),
  unvet: endpoint<Routes['unvet']>('POST', '/admin/organisations/{id}/unvet'),
  suspend: endpoint<Routes['suspend']>('POST', '/admin/organisations/{id}/suspend'),
  resume: endpoint<Routes['resume']>('POST', '/admin/organisations/{id}/resume'),
  close: endpoint<Routes['close']>('POST', '/admin/organisations/{id}/close'),
  reopen: endpoint<Routes['reopen']>('POST', '/admin/organisations/{id}/reopen'),
  appointOwner: endpoint<Routes['appointOwner']>('POST', '/admin/organisations/{id}/owner'),
}

export const organisationPath = (id: string) => paths.dashboard(`organisations/${encodeURIComponent(id)}`)
