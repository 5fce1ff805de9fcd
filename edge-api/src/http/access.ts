import type { SessionAccess } from '@portal/contract/route'
import { Fault } from '../fault.ts'
import type { Principal } from '../principal.ts'

const rank = { public: 0, user: 1, admin: 2, super_admin: 3 } as const

/** Requires that the caller's role is sufficient for a route. @throws Fault `FORBIDDEN` */
export function requireAccess(principal: Principal, access: SessionAccess): void {
  if (rank[principal.role] < rank[access]) throw new Fault('FORBIDDEN')
}
