import { type LetterCheck, verificationTemplate } from '@portal/contract/letter'
import type { Call } from '../http/serve.ts'
import { countCheck } from '../letter-holders/status-store.ts'
import { letterStatus, statusSince, toLetterLink } from '../letters/rules.ts'
import type { FoundLetter } from '../letters/store.ts'
import { consume } from '../limits/limiter.ts'
import { recordLogEntry } from '../logs/store.ts'
import { iso } from '../wire.ts'

type CheckCall = Pick<Call, 'db' | 'ports' | 'requestId' | 'address' | 'isHead'>

/**
 * Names of activities in the log: the view of a letter's page, and the download of its PDF. Evidence in disputes contains both.
 */
export const LETTER_CHECKED = 'Verification letter checked'
export const LETTER_DOWNLOADED = 'Verification letter downloaded'

/**
 * Logs a view or download of a letter, and counts a view as a check. Nothing is stored about the reader. If logging fails, the
 * response is still sent.
 */
async function recordUse(
  { db, ports, requestId }: CheckCall,
  { letter }: FoundLetter,
  { status, activity, at }: { status: string; activity: string; at: number },
) {
  try {
    await db.write(async tx => {
      if (activity === LETTER_CHECKED) await countCheck(tx, { code: letter.code, at })
      await recordLogEntry(tx, {
        userId: null,
        userEmail: null,
        activity,
        details: `${letter.refNumber}: ${status}`,
        requestId,
        at,
      })
    })
  } catch (error) {
    const cause = error instanceof Error ? error.name : 'unknown'
    ports.log({ level: 'warn', event: 'letter_check_not_counted', cause })
  }
}

/** Returns what the public may know about a letter at this time, and counts a check. @throws Fault `RATE_LIMITED` */
export async function checkLetter(call: CheckCall, found: FoundLetter): Promise<LetterCheck> {
  const { ports } = call
  const { letter, certificateNumber } = found
  await consume(call, 'letter_checks', call.address)
  const template = verificationTemplate.parse(letter.template)
  const { status, pdf_url, credential_url, open_badge_url } = toLetterLink(
    found,
    ports.environment.PUBLIC_URL,
  )
  const at = ports.clock.now()
  if (!call.isHead) await recordUse(call, found, { status, activity: LETTER_CHECKED, at })
  return {
    status,
    status_since: iso(statusSince(found)),
    code: letter.code,
    ref_number: letter.refNumber,
    issued_at: iso(letter.issuedAt),
    date: template.header.date,
    institution: template.header.institution,
    recipient: template.recipient.company,
    certificate_number: certificateNumber,
    certificate_details: template.content.certificate_details,
    pdf_url,
    credential_url,
    open_badge_url,
    checks: letter.checks + 1,
    previous_check_at: letter.lastCheckedAt === null ? null : iso(letter.lastCheckedAt),
    checked_at: iso(at),
  }
}

/** Logs a download of the letter as a file. */
export const logDownload = (call: CheckCall, found: FoundLetter): Promise<void> =>
  recordUse(call, found, {
    status: letterStatus(found),
    activity: LETTER_DOWNLOADED,
    at: call.ports.clock.now(),
  })
