import type { LetterLink } from '@portal/contract/letter'
import type { Tx } from '../db/database.ts'
import type { Ports } from '../ports.ts'
import { listVerificationsOfLetters } from './letter-store.ts'
import { recordEvent } from './record-event.ts'

/**
 * Records an event for each of these letters that belongs to an organisation. `status` is the letters' new status: `withdrawn`,
 * `superseded`, or `valid` again. The event has the ID of the verification, under which `/v1` returns the letter.
 */
export async function recordLetterStatus(
  tx: Tx,
  ports: Ports | undefined,
  { codes, status, at }: { codes: readonly string[]; status: LetterLink['status']; at: number },
): Promise<void> {
  for (const { code, verification } of await listVerificationsOfLetters(tx, { codes })) {
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
