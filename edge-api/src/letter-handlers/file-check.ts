import { CHECK_FILE_MAX, type FileCheck, type letterFiles } from '@portal/contract/letter-files'
import { letterMessages, uploadMessages } from '@portal/rules/messages'
import { sha256Hex } from '../digest.ts'
import { Fault } from '../fault.ts'
import { type FilePart, openFilePart } from '../http/multipart.ts'
import type { Call } from '../http/serve.ts'
import { type CredentialFault, checkCredential } from '../letters/credential.ts'
import { keyIdOf } from '../letters/did.ts'
import { ensurePublicKeys, type PublicLetterKey } from '../letters/keys.ts'
import { checkPdf, looksLikePdf } from '../letters/pdf-check.ts'
import { findLetter } from '../letters/store.ts'
import { consume } from '../limits/limiter.ts'
import { readSettings } from '../settings/store.ts'
import { checkLetter } from './check.ts'

/* Checks whether a PDF or credential was signed by the institution, and reports the current status of its letter. */

/** Maximum size of a multipart body in addition to its file, in bytes. */
const MULTIPART_OVERHEAD_BYTES = 64 * 1024

type CheckCall = Pick<Call, 'db' | 'ports' | 'address' | 'requestId' | 'isHead'>
type Result = FileCheck['result']

async function readAllBytes({ bytes }: FilePart): Promise<Uint8Array<ArrayBuffer>> {
  const parts: Uint8Array<ArrayBuffer>[] = []
  let length = 0
  for await (const part of bytes) {
    length += part.length
    if (length > CHECK_FILE_MAX) throw new Fault('PAYLOAD_TOO_LARGE')
    parts.push(Uint8Array.from(part))
  }
  return new Uint8Array(await new Blob(parts).arrayBuffer())
}

const toFileFault = (message: string) => new Fault('VALIDATION_ERROR', { message, fields: { file: message } })

/** Reads the file in a call's body, of at most 5 MB. @returns its bytes and its name */
async function receiveFile({ request }: Call<typeof letterFiles.checkFile>) {
  const part = await openFilePart(request, { name: 'file', limit: CHECK_FILE_MAX + MULTIPART_OVERHEAD_BYTES })
  if (!part) throw toFileFault(uploadMessages.noFile)
  try {
    return { bytes: await readAllBytes(part), filename: part.filename }
  } catch (error) {
    await part.drain()
    throw error
  }
}

const buildResultMessages = (institution: string): Record<Result, string> => ({
  genuine: `This file was signed by ${institution} and has not been changed since.`,
  altered: `This file was changed after ${institution} signed it. Do not rely on it; check the code of the letter instead.`,
  not_ours:
    `This file has no signature of ${institution}. Scans, prints and files that were saved again have none: ` +
    'check the code of the letter instead.',
  unreadable: letterMessages.unknownFile,
})

interface FoundSignature {
  kind: FileCheck['kind']
  result: Result
  /** The key that signed the file, if the file is genuine, or altered after signing. */
  key?: PublicLetterKey
  coversWholeFile?: boolean
  /** The signer's certificate in DER, for a genuine PDF. */
  certificate?: Uint8Array<ArrayBuffer>
  /** The letter's code, for a genuine file. */
  code?: string
  message?: string
}

async function respond(call: CheckCall, found: FoundSignature): Promise<FileCheck> {
  const { db, ports } = call
  const { kind, result, key, certificate, coversWholeFile = false, code, message } = found
  const { name } = (await readSettings(db.read)).institution
  const letter = code === undefined ? undefined : await findLetter(db.read, { code })
  return {
    kind,
    result,
    message: message ?? buildResultMessages(name)[result],
    signature: key
      ? {
          signer: name,
          key_id: keyIdOf(ports.environment.PUBLIC_URL, key.kid),
          algorithm: 'ES256',
          certificate_fingerprint: kind === 'pdf' ? sha256Hex(certificate ?? key.certificate) : null,
          covers_whole_file: coversWholeFile,
        }
      : null,
    letter: letter ? await checkLetter(call, letter) : null,
  }
}

const REVOKED = 'The key that signed this file was revoked. Check the code of the letter instead.'

const pdfFaults = {
  revoked_key: REVOKED,
  outside_validity:
    'This file is dated outside the validity of its signing certificate. Check the code of the letter instead.',
}

/** The result for each fault of a credential, with a message where the result's general text does not give the reason. */
const credentialFaults: Record<CredentialFault, { result: Result; message?: string }> = {
  malformed: { result: 'unreadable' },
  algorithm: { result: 'not_ours', message: 'This credential is not signed the way ours are.' },
  unknown_key: { result: 'not_ours' },
  revoked_key: { result: 'not_ours', message: REVOKED },
  signature: { result: 'altered' },
  issuer: { result: 'not_ours' },
  not_yet_valid: { result: 'not_ours', message: 'This credential is not valid yet.' },
  expired: { result: 'not_ours', message: 'This credential has expired.' },
}

/** Checks a credential. @param isExact false if the file contains anything besides the token */
async function checkCredentialToken(call: CheckCall, token: string, isExact = true): Promise<FileCheck> {
  const { db, ports } = call
  const keys = await ensurePublicKeys(db, ports)
  const { PUBLIC_URL: publicUrl } = ports.environment
  const checked = await checkCredential(token, { keys, publicUrl, now: ports.clock.now() })
  if (checked.ok) {
    const { key, code } = checked
    return await respond(
      call,
      isExact
        ? { kind: 'credential', result: 'genuine', key, code, coversWholeFile: true }
        : { kind: 'credential', result: 'altered', key },
    )
  }
  const { result, message } = credentialFaults[checked.fault]
  return await respond(call, {
    kind: result === 'unreadable' ? null : 'credential',
    result,
    ...(message !== undefined && { message }),
    ...(result === 'altered' && checked.key && { key: checked.key }),
  })
}

async function checkPdfFile(call: CheckCall, bytes: Uint8Array<ArrayBuffer>): Promise<FileCheck> {
  const checked = await checkPdf(bytes, await ensurePublicKeys(call.db, call.ports))
  const kind = 'pdf'
  if (checked.kind === 'genuine') {
    const { key, code, certificate } = checked
    return await respond(call, { kind, result: 'genuine', key, certificate, code, coversWholeFile: true })
  }
  if (checked.kind === 'altered')
    return await respond(call, {
      kind,
      result: 'altered',
      key: checked.key,
      coversWholeFile: checked.coversWholeFile,
    })
  return await respond(call, {
    kind,
    result: 'not_ours',
    ...(checked.kind !== 'not_ours' && { message: pdfFaults[checked.kind] }),
  })
}

const TOKEN = /^[\w-]+\.[\w-]*\.[\w-]*$/

type ReceivedFile = Awaited<ReturnType<typeof receiveFile>>

/** Checks a file. Its content decides which kind of file it is; its name must have a matching extension or none. */
async function checkReceivedFile(call: CheckCall, { bytes, filename }: ReceivedFile): Promise<FileCheck> {
  if (looksLikePdf(bytes)) {
    if (!/^[^.]*$|\.pdf$/i.test(filename)) throw toFileFault(letterMessages.misnamedPdf)
    return await checkPdfFile(call, bytes)
  }
  const text = bytes.length < 20_000 ? new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes) : ''
  const token = text.trim()
  if (TOKEN.test(token)) {
    if (!/^[^.]*$|\.(?:jwt|txt)$/i.test(filename)) throw toFileFault(letterMessages.misnamedCredential)
    return await checkCredentialToken(call, token, token === text)
  }
  return await respond(call, { kind: null, result: 'unreadable' })
}

/** Checks the file in a multipart body. Every call counts against a limit, because each computes a digest of up to 5 MB. */
export async function checkFile(call: Call<typeof letterFiles.checkFile>): Promise<FileCheck> {
  await consume(call, 'letter_files', call.address)
  return await checkReceivedFile(call, await receiveFile(call))
}

/** Checks a credential that was pasted as text. */
export async function checkPastedCredential(
  call: Call<typeof letterFiles.checkCredential>,
): Promise<FileCheck> {
  await consume(call, 'letter_files', call.address)
  return await checkCredentialToken(call, call.body.credential)
}
