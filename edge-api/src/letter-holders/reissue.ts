import { verificationTemplate } from '@portal/contract/letter'
import type { letterHolder } from '@portal/contract/letter-holder'
import { letterMessages } from '@portal/rules/messages'
import { findUser } from '../accounts/store.ts'
import type { Tx } from '../db/database.ts'
import { Fault } from '../fault.ts'
import type { HandlersOf } from '../http/serve.ts'
import { newLetter } from '../letters/issue.ts'
import { findTemplateProblem, notifyUnprintable } from '../letters/printable.ts'
import { letterStatus, toLetterLink } from '../letters/rules.ts'
import { insertLetters, type LetterWithCertificate } from '../letters/store.ts'
import { recordChange } from '../logs/record-change.ts'
import { listLetterAccounts } from '../membership/store.ts'
import { recordLetterStatus } from '../organisation-events/letter-events.ts'
import type { Ports } from '../ports.ts'
import { readSettings } from '../settings/store.ts'
import { findOwnLetter, markReplaced } from './reissue-store.ts'

/**
 * Issues a corrected letter that replaces `current`; if the certificate has not been corrected, returns `current`. The
 * addressee stays the same, because this corrects an issued letter and does not write a new one.
 */
async function reissue(
  db: Tx,
  ports: Ports,
  { current, at }: { current: LetterWithCertificate; at: number },
): Promise<{ current: LetterWithCertificate; isIssued: boolean; fault?: Fault }> {
  const { letter, certificate } = current
  const status = letterStatus(current)
  if (status === 'withdrawn' || !certificate) throw new Fault('LETTER_WITHDRAWN')
  if (status === 'valid') return { current, isIssued: false }
  const holder = await findUser(db, { id: letter.userId })
  if (!holder) throw new Error('the letter has no holder')
  const item = { id: letter.paymentItemId, userId: letter.userId, certificate }
  const draft = newLetter({ item, holder, settings: await readSettings(db), at })
  const { recipient } = verificationTemplate.parse(letter.template)
  const corrected = { ...draft, template: { ...draft.template, recipient } }
  const reason = findTemplateProblem(corrected.template)
  if (reason !== undefined) {
    const problem = { source: 'certificate' as const, reason }
    await notifyUnprintable(db, { number: certificate.certificateNumber, problem, at })
    return { current, isIssued: false, fault: new Fault('LETTER_NOT_PRINTABLE') }
  }
  await markReplaced(db, { code: letter.code, newCode: corrected.code, at })
  await insertLetters(db, [corrected])
  await recordLetterStatus(db, ports, { codes: [corrected.code], status: 'valid', at })
  const found = await findOwnLetter(db, { code: corrected.code, userIds: [letter.userId] })
  if (!found) throw new Error('a letter that was just issued was not found')
  return { current: found, isIssued: true }
}

export const letterHolderHandlers: HandlersOf<typeof letterHolder> = {
  reissue: async call => {
    const { db, params, user, ports } = call
    const at = ports.clock.now()
    const { current, isIssued, fault } = await db.write(async tx => {
      const userIds = await listLetterAccounts(tx, user, { change: true })
      const requested = await findOwnLetter(tx, { code: params.code, userIds })
      if (!requested) throw new Fault('NOT_FOUND', { message: 'You have no letter with this code.' })
      const outcome = await reissue(tx, ports, { current: requested, at })
      if (outcome.isIssued) {
        await recordChange(tx, call, {
          activity: 'Verification letter reissued',
          details: `${outcome.current.letter.refNumber} replaces ${requested.letter.refNumber}`,
          at,
        })
      }
      return outcome
    })
    if (fault) throw fault
    return {
      message: isIssued ? letterMessages.corrected : letterMessages.unchanged,
      letter: toLetterLink(current, ports.environment.PUBLIC_URL),
    }
  },
}
