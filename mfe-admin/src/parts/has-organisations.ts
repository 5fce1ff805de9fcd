import { isRecord } from '@portal/contract/is-record'

/** Returns true if organisations can be created or at least one exists; staff then have a tab for them. */
export const hasOrganisations = (reply: unknown): boolean => isRecord(reply) && reply.offered === true
