import { isRecord } from '@portal/contract/is-record'

/** True if organisations can be created, or one exists: then staff have a tab for them. */
export const hasOrganisations = (reply: unknown): boolean => isRecord(reply) && reply.offered === true
