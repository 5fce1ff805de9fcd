import { verificationTemplate } from '@portal/contract/letter'
import type { letterFiles } from '@portal/contract/letter-files'
import { SPECIMEN } from '@portal/letter/code'
import { Fault } from '../fault.ts'
import { respondWithFile } from '../http/file-response.ts'
import { emptyStream } from '../http/head.ts'
import type { Call, HandlersOf } from '../http/serve.ts'
import { findOwnLetter } from '../letter-holders/reissue-store.ts'
import { composeSharedLetterMail } from '../letter-holders/share-mail.ts'
import { CREDENTIAL_TYPE } from '../letters/credential.ts'
import { createLetterBadge, createLetterCredential, createSignedPdf } from '../letters/formats.ts'
import { listCodesOfPayment } from '../letters/held-letters-store.ts'
import { findTemplateProblem } from '../letters/printable.ts'
import { letterStatus, toLetterLink } from '../letters/rules.ts'
import { consume } from '../limits/limiter.ts'
import { recordChange } from '../logs/record-change.ts'
import { enqueueMail, sendSoon } from '../mail/outbox.ts'
import { readSender } from '../mail/sender.ts'
import { listLetterAccounts } from '../membership/store.ts'
import { NOT_SIGNED, notifyStaff, respondWithArchive } from './archive.ts'
import { logDownload } from './check.ts'
import { checkFile, checkPastedCredential } from './file-check.ts'
import { requireLetter } from './letter-by-code.ts'
import { createSpecimenPdf, isSpecimen, refuseSpecimen } from './specimen.ts'

async function zip(call: Call<typeof letterFiles.zip>): Promise<Response> {
  const { db, user, params } = call
  const userIds = await listLetterAccounts(db.read, user)
  const codes = await listCodesOfPayment(db.read, { transactionId: params.transaction_id, userIds })
  if (codes.length === 0) throw new Fault('TRANSACTION_NOT_FOUND')
  return await respondWithArchive(call, codes)
}

async function email(call: Call<typeof letterFiles.email>) {
  const { db, ports, user, params, body } = call
  const userIds = await listLetterAccounts(db.read, user)
  const ownLetter = await findOwnLetter(db.read, { code: params.code, userIds })
  if (!ownLetter) throw new Fault('NOT_FOUND', { message: 'You have no letter with this code.' })
  if (letterStatus(ownLetter) === 'withdrawn') throw new Fault('LETTER_WITHDRAWN')
  await consume(call, 'letter_mails', user.id)
  await consume(call, 'mail_recipient', body.email)
  const { refNumber } = ownLetter.letter
  const mail = composeSharedLetterMail(await readSender(db.read, ports), {
    email: body.email,
    holderEmail: user.email,
    refNumber,
    url: toLetterLink(ownLetter, ports.environment.PUBLIC_URL).url,
    message: body.message,
  })
  await db.write(async tx => {
    await enqueueMail(tx, ports, mail)
    await recordChange(tx, call, { activity: 'Verification letter shared by mail', details: refNumber })
  })
  sendSoon(ports)
  return { message: `The letter was sent to ${body.email}.` }
}

export const letterFileHandlers: HandlersOf<typeof letterFiles> = {
  pdf: async call => {
    if (isSpecimen(call.params.code)) {
      await consume(call, 'letter_files', call.address)
      const body = call.isHead ? emptyStream() : await createSpecimenPdf(call)
      return respondWithFile(body, 'application/pdf', `verification-letter-${SPECIMEN}.pdf`)
    }
    const found = await requireLetter(call, call.params.code)
    await consume(call, 'letter_files', call.address)
    const reason = findTemplateProblem(verificationTemplate.parse(found.letter.template))
    if (reason !== undefined) {
      await notifyStaff(call.db, call.ports, found, reason)
      throw new Fault('LETTER_NOT_PRINTABLE', { message: NOT_SIGNED })
    }
    const body = call.isHead ? emptyStream() : await createSignedPdf(call, found)
    if (!call.isHead) await logDownload(call, found)
    return respondWithFile(body, 'application/pdf', `verification-letter-${found.letter.code}.pdf`)
  },
  credential: async call => {
    refuseSpecimen(call.params.code)
    const found = await requireLetter(call, call.params.code)
    await consume(call, 'letter_files', call.address)
    const name = `verification-credential-${found.letter.code}.jwt`
    return respondWithFile(
      call.isHead ? emptyStream() : await createLetterCredential(call, found),
      CREDENTIAL_TYPE,
      name,
    )
  },
  openBadge: async call => {
    refuseSpecimen(call.params.code)
    const found = await requireLetter(call, call.params.code)
    await consume(call, 'letter_files', call.address)
    const name = `verification-open-badge-${found.letter.code}.jwt`
    return respondWithFile(
      call.isHead ? emptyStream() : await createLetterBadge(call, found),
      'application/jwt',
      name,
    )
  },
  checkFile,
  checkCredential: checkPastedCredential,
  email,
  zip,
}
