import { Fault } from '../fault.ts'
import type { Call } from '../http/serve.ts'
import { setStatusOfItem } from './batch-store.ts'
import type { Caller } from './caller.ts'
import { readVerificationReply } from './verification-replies.ts'
import { cancelWaitingVerification, findVerification } from './verification-store.ts'

/**
 * Cancels a verification that is waiting for consent. So far, these exist only in test mode.
 * @throws Fault `NOT_FOUND`, `WRONG_STATE`
 */
export async function cancelVerification(
  call: Pick<Call, 'db' | 'ports'>,
  { organisationId, admit }: Caller,
  id: string,
) {
  const { db, ports } = call
  await db.write(async tx => {
    await admit(tx)
    const found = await findVerification(tx, { organisationId, id })
    if (!found) throw new Fault('NOT_FOUND', { message: 'There is no such verification.' })
    if (!(await cancelWaitingVerification(tx, { organisationId, id, at: ports.clock.now() })))
      throw new Fault('WRONG_STATE')
    const { batchId } = found.verification
    if (batchId !== null) await setStatusOfItem(tx, { batchId, verificationId: id, status: 'cancelled' })
  })
  const updated = await findVerification(db.read, { organisationId, id })
  if (!updated) throw new Error('a verification has disappeared')
  return await readVerificationReply(call, updated)
}
