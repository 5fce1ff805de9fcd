import { FORMER_MEMBER } from '@portal/contract/organisation-shapes'

interface RequestedVerification {
  requestedBy: string | null
  requester: { firstname: string; lastname: string } | null
  /** The requester's user ID; null if the requester is no longer a member. */
  memberId: string | null
}

export const fullName = ({ firstname, lastname }: { firstname: string; lastname: string }) =>
  `${firstname} ${lastname}`.trim()

/** Returns the requester as members see them; a person who has left is shown as a former member. */
export function toRequester({ requestedBy, requester, memberId }: RequestedVerification) {
  if (requestedBy === null || memberId === null || requester === null)
    return { user_id: null, name: FORMER_MEMBER }
  return { user_id: requestedBy, name: fullName(requester) }
}
