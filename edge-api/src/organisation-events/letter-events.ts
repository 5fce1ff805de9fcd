import type { LetterLink } from '@portal/contract/letter'
import type { Tx } from '../db/database.ts'
import type { Ports } from '../ports.ts'
import { verificationsOfLetters } from './letter-store.ts'
import { recordEvent } from './record-event.ts'

/**
 * Records the new status of organisations' letters: `withdrawn`, `superseded`, or `valid` again, also because of a corrected
 * letter. The event has the ID of the verification, whose letter is in `/v1`.
 */
export async function recordLetterStatus(
  tx: Tx,
  ports: Ports | undefined,
  { codes, status, at }: { codes: readonly string[]; status: LetterLink['status']; at: number },
): Promise<void> {
  for (const { code, verification } of await verificationsOfLetters(tx, { codes })) {
    const { id, organisationId, livemode, certificateNumber, reference } = verification
    await recordEvent(tx, ports, {
      organisationId,
      type: 'letter.status_changed',
      livemode,
      data: { id, status, certificate_number: certificateNumber, reference },
      dedupeKey: `${code}:${status}:${at}`,
      at,
    })
  }
}
