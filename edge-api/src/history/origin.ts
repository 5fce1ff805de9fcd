import type { ChangeSource } from '@portal/contract/history'
import type { Call } from '../http/serve.ts'
import type { Origin } from './record.ts'

type AccountCall = Pick<Call, 'ports' | 'address' | 'requestId'> & { user: { id: string; email: string } }

/** Returns the origin of a change by a logged-in caller; unless another kind is given, the change was made in a form. */
export const originOf = (
  { user, ports, address, requestId }: AccountCall,
  {
    kind = 'form',
    reason,
    at = ports.clock.now(),
  }: { kind?: ChangeSource; reason?: string | null | undefined; at?: number } = {},
): Origin => ({
  actor: { id: user.id, email: user.email },
  source: { kind },
  reason,
  ipAddress: address,
  requestId,
  at,
})
