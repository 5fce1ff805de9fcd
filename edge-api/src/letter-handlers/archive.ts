import { verificationTemplate } from '@portal/contract/letter'
import { toIsoDate } from '@portal/format/dates'
import type { Database } from '../db/database.ts'
import { respondWithFile } from '../http/file-response.ts'
import { emptyStream } from '../http/head.ts'
import type { Call } from '../http/serve.ts'
import { createSignedPdf, readSigningData } from '../letters/formats.ts'
import { findTemplateProblem, notifyUnprintable } from '../letters/printable.ts'
import { type FoundLetter, findLetter } from '../letters/store.ts'
import { streamZip, toStream, type ZipEntry } from '../letters/zip.ts'
import { consume } from '../limits/limiter.ts'
import type { Ports } from '../ports.ts'
import type { Principal } from '../principal.ts'

export const NOT_SIGNED =
  'This letter contains characters that cannot be printed, so it was not signed. Our staff have been notified; please contact support.'

/** Notifies staff that a letter could not be signed. */
export const notifyStaff = (
  db: Database,
  { clock }: Pick<Ports, 'clock'>,
  found: FoundLetter,
  reason: string,
) =>
  db.write(tx =>
    notifyUnprintable(tx, {
      number: found.certificateNumber,
      problem: { source: 'certificate', reason },
      at: clock.now(),
    }),
  )

/**
 * Returns the name of a letter's file within an archive: the certificate number, without characters that are not allowed in
 * file names, and the letter's code.
 */
const entryNameOf = ({ certificateNumber, letter }: FoundLetter) =>
  `${certificateNumber.replace(/[^A-Za-z0-9]+/g, '-')}_${letter.code}.pdf`

/** Yields to other work that is waiting. */
const yieldToOthers = () => new Promise<void>(resolve => setTimeout(resolve))

/**
 * Yields the letters as PDFs. Each is read and created only after the previous one has been sent. Uses its own database handle,
 * because the request's handle may be closed before all letters have been sent.
 */
async function* generatePdfs(ports: Ports, codes: readonly string[]): AsyncGenerator<ZipEntry> {
  const db = ports.openDatabase()
  try {
    const signingData = await readSigningData({ db, ports })
    for (const code of codes) {
      const found = await findLetter(db.read, { code })
      if (!found) continue
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

/** Responds with letters as PDFs in a ZIP file, which is streamed while it is created. Counts towards the account's limit. */
export async function respondWithArchive(
  call: Pick<Call, 'db' | 'ports' | 'requestId' | 'isHead'> & { user: Principal },
  codes: readonly string[],
): Promise<Response> {
  const { ports, requestId } = call
  await consume(call, 'letter_archives', call.user.id)
  const now = ports.clock.now()
  const name = `verification_letters_${toIsoDate(now)}.zip`
  if (call.isHead) return respondWithFile(emptyStream(), 'application/zip', name)
  const body = toStream(streamZip(generatePdfs(ports, codes), now), () =>
    ports.log({ level: 'error', event: 'letter_archive', request_id: requestId }),
  )
  return respondWithFile(body, 'application/zip', name)
}
