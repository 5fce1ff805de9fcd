import type { MemberRole } from '@portal/contract/organisation-shapes'
import { mayManage } from '@portal/rules/organisations'

const allRoles: readonly MemberRole[] = ['owner', 'manager', 'member', 'finance']

/** Returns the roles that a member with this role can give to others. */
export const offeredRoles = (role: MemberRole): readonly MemberRole[] =>
  allRoles.filter(item => mayManage(role, item))
