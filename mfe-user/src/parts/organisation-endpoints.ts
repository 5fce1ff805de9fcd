import { endpoint } from '@portal/api/endpoint'
import type {
  accountAreas,
  organisationMembers,
  organisations as organisationRoutes,
} from '@portal/contract/organisations'

/* Endpoints of organisations, without their schemas, as in `endpoints.ts`. */

type Areas = typeof accountAreas
type Organisations = typeof organisationRoutes
type Members = typeof organisationMembers

export const areas = {
  read: endpoint<Areas['read']>('GET', '/account/areas'),
  accept: endpoint<Areas['accept']>('POST', '/account/invitations/{id}/accept'),
  decline: endpoint<Areas['decline']>('POST', '/account/invitations/{id}/decline'),
}

export const organisations = {
  list: endpoint<Organisations['list']>('GET', '/organisations'),
  read: endpoint<Organisations['read']>('GET', '/organisations/{id}'),
  close: endpoint<Organisations['close']>('POST', '/organisations/{id}/close'),
  activity: endpoint<Organisations['activity']>('GET', '/organisations/{id}/activity'),
}

export const members = {
  list: endpoint<Members['list']>('GET', '/organisations/{id}/members'),
  changeRole: endpoint<Members['changeRole']>('PUT', '/organisations/{id}/members/{user_id}'),
  remove: endpoint<Members['remove']>('DELETE', '/organisations/{id}/members/{user_id}'),
  resend: endpoint<Members['resend']>('POST', '/organisations/{id}/invitations/{inv}/resend'),
  revoke: endpoint<Members['revoke']>('DELETE', '/organisations/{id}/invitations/{inv}'),
}
