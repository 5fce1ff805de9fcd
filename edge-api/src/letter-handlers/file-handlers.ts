import { verificationTemplate } from '@portal/contract/letter'
import type { letterFiles } from '@portal/contract/letter-files'
import { toIsoDate } from '@portal/format/dates'
import { SPECIMEN } from '@portal/letter/code'
import type { Database } from '../db/database.ts'
import { Fault } from '../fault.ts'
import { emptyStream } from '../http/head.ts'
import type { Call, HandlersOf } from '../http/serve.ts'
import { findOwnLetter } from '../letter-holders/reissue-store.ts'
import { composeSharedLetterMail } from '../letter-holders/share-mail.ts'
import { CREDENTIAL_TYPE } from '../letters/credential.ts'
import {
  createLetterBadge,
  createLetterCredential,
  createSignedPdf,
  readSigningData,
} from '../letters/formats.ts'
import { listLettersOfPayment } from '../letters/held-letters-store.ts'
import { findTemplateProblem, notifyUnprintable } from '../letters/printable.ts'
import { letterStatus, toLetterLink } from '../letters/rules.ts'
import type { FoundLetter } from '../letters/store.ts'
import { streamZip, toStream, type ZipEntry } from '../letters/zip.ts'
import { consume } from '../limits/limiter.ts'
import { recordChange } from '../logs/record-change.ts'
import { enqueueMail, sendSoon } from '../mail/outbox.ts'
import { readSender } from '../mail/sender.ts'
import { listLetterAccounts } from '../membership/store.ts'
import type { Ports } from '../ports.ts'
import { logDownload } from './check.ts'
import { checkFile, checkPastedCredential } from './file-check.ts'
import { requireLetter } from './letter-by-code.ts'
import { createSpecimenPdf, isSpecimen, refuseSpecimen } from './specimen.ts'

const respondWithFile = (body: BodyInit, type: string, name: string) =>
  new Response(body, {
    headers: { 'Content-Type': type, 'Content-Disposition': `attachment; filename="${name}"` },
  })

/**
 * Returns the name of a letter's file within an archive: the certificate number, without characters that are not allowed in
 * file names, and the letter's code.
 */
const entryNameOf = ({ certificateNumber, letter }: FoundLetter) =>
  `${certificateNumber.replace(/[^A-Za-z0-9]+/g, '-')}_${letter.code}.pdf`

const NOT_SIGNED =
  'This letter contains characters that cannot be printed, so it was not signed. Our staff have been notified; please contact support.'

const notifyStaff = (db: Database, { clock }: Pick<Ports, 'clock'>, found: FoundLetter, reason: string) =>
  db.write(tx =>
    notifyUnprintable(tx, {
      number: found.certificateNumber,
      problem: { source: 'certificate', reason },
      at: clock.now(),
    }),
  )

/** Yields to other work that is waiting. */
const yieldToOthers = () => new Promise<void>(resolve => setTimeout(resolve))

/**
 * Yields the letters as PDFs. Each is created only after the previous one has been sent. Uses its own database handle, because
 * the request's handle may be closed before all letters have been sent.
 */
async function* generatePdfs(ports: Ports, letters: readonly FoundLetter[]): AsyncGenerator<ZipEntry> {
  const db = ports.openDatabase()
  try {
    const signingData = await readSigningData({ db, ports })
    for (const found of letters) {
      const reason = findTemplateProblem(verificationTemplate.parse(found.letter.template))
      if (reason === undefined)
        yield { name: entryNameOf(found), bytes: await createSignedPdf({ db, ports }, found, signingData) }
      else {
        await notifyStaff(db, ports, found, reason)
        const name = entryNameOf(found).replace(/\.pdf$/, '_not-signed.txt')
        yield { name, bytes: new TextEncoder().encode(`${NOT_SIGNED}\n`) }
      }
      await yieldToOthers()
    }
  } finally {
    db.close()
  }
}

async function zip(call: Call<typeof letterFiles.zip>): Promise<Response> {
  const { db, ports, user, params, requestId } = call
  await consume(call, 'letter_archives', user.id)
  const userIds = await listLetterAccounts(db.read, user)
  const letters = await listLettersOfPayment(db.read, { transactionId: params.transaction_id, userIds })
  if (letters.length === 0) throw new Fault('TRANSACTION_NOT_FOUND')
  const now = ports.clock.now()
  const name = `verification_letters_${toIsoDate(now)}.zip`
  if (call.isHead) return respondWithFile(emptyStream(), 'application/zip', name)
  const body = toStream(streamZip(generatePdfs(ports, letters), now), () =>
    ports.log({ level: 'error', event: 'letter_archive', request_id: requestId }),
  )
  return respondWithFile(body, 'application/zip', name)
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
