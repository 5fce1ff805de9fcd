import { letterMessages } from '@portal/rules/messages'
import { Fault } from '../fault.ts'
import type { Call } from '../http/serve.ts'
import { type FoundLetter, findLetter } from '../letters/store.ts'
import { consume, requireAllowance } from '../limits/limiter.ts'

/**
 * Returns the letter with this code. Anyone who has the code may see it. Unknown codes count against a single limit for all
 * formats.
 * @throws Fault `NOT_FOUND`, `RATE_LIMITED`
 */
export async function requireLetter(
  call: Pick<Call, 'db' | 'ports' | 'address'>,
  code: string,
): Promise<FoundLetter> {
  await requireAllowance(call, 'letter_misses', call.address)
  const found = await findLetter(call.db.read, { code })
  if (found) return found
  await consume(call, 'letter_misses', call.address)
  throw new Fault('NOT_FOUND', {
    message: letterMessages.unknownCode,
  })
}
