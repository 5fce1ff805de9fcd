import type { FileCheck, letterFiles as routes } from '@portal/contract/letter-files'
import { toIsoDate } from '@portal/format/dates'
import { letterMessages, uploadMessages } from '@portal/rules/messages'
import { HttpResponse } from 'msw'
import { Fault, invalidField } from './fault.ts'
import { ownLetterOrFail } from './letter-holder.ts'
import { findLetter, toLetterLink } from './letter-status.ts'
import { checkLetter, NO_SUCH_LETTER } from './letters.ts'
import { ownPayments } from './payments.ts'
import type { HandlersOf } from './serve.ts'
import type { MockState } from './state.ts'

/**
 * Checks that a letter with this code was issued.
 * @throws Fault `NOT_FOUND` if not
 */
function requireLetter(state: MockState, code: string): void {
  if (!findLetter(state, code)) throw new Fault('NOT_FOUND', undefined, NO_SUCH_LETTER)
}

const fileResponse = (body: string, type: string, name: string) =>
  new HttpResponse(body, {
    headers: { 'content-type': type, 'content-disposition': `attachment; filename="${name}"` },
  })

const namePatterns = { pdf: /^[^.]*$|\.pdf$/i, credential: /^[^.]*$|\.(?:jwt|txt)$/i }
const misnamedMessages = {
  pdf: letterMessages.misnamedPdf,
  credential: letterMessages.misnamedCredential,
}

/** Returns an unsigned PDF of one page that contains only the letter's code. */
function mockPdf(code: string): string {
  const content = `BT /F1 18 Tf 72 720 Td (Letter ${code}, from the mocks) Tj ET`
  return `%PDF-1.4
1 0 obj <</Type/Catalog/Pages 2 0 R>> endobj
2 0 obj <</Type/Pages/Kids[3 0 R]/Count 1>> endobj
3 0 obj <</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Contents 4 0 R/Resources<</Font<</F1 5 0 R>>>>>> endobj
4 0 obj <</Length ${content.length}>> stream
${content}
endstream endobj
5 0 obj <</Type/Font/Subtype/Type1/BaseFont/Helvetica>> endobj
trailer <</Root 1 0 R>>
%%EOF
`
}

const encodePart = (value: unknown) =>
  btoa(JSON.stringify(value)).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
const mockCredential = (code: string) =>
  `${encodePart({ alg: 'ES256', typ: 'vc+jwt', kid: 'mock' })}.${encodePart({ id: `urn:letter:${code}` })}.${encodePart('mock')}`

/** Returns the letter's code in a file that the mocks created; undefined for other files. */
function codeIn(text: string): string | undefined {
  const [, payload = ''] = text.trim().split('.')
  let decoded = ''
  try {
    decoded = atob(payload.replaceAll('-', '+').replaceAll('_', '/'))
  } catch {
    // The text is a PDF, which is not base64.
  }
  return /\(Letter (\w{12}), from the mocks\)/.exec(text)?.[1] ?? /urn:letter:(\w{12})/.exec(decoded)?.[1]
}

function checkText(state: MockState, text: string, now: Date): FileCheck {
  const { name } = state.settings.institution
  const kind = text.startsWith('%PDF-')
    ? 'pdf'
    : /^\s*[\w-]+\.[\w-]+\.[\w-]+\s*$/.test(text)
      ? 'credential'
      : null
  const checkFailure = (result: 'altered' | 'not_ours' | 'unreadable', message: string): FileCheck => ({
    result,
    message,
    kind,
    signature: null,
    letter: null,
  })
  if (!kind) return checkFailure('unreadable', letterMessages.unknownFile)
  const code = codeIn(text)
  if (!code)
    return checkFailure(
      'not_ours',
      `This file has no signature of ${name}. Scans, prints and files that were saved again have none: check the code of the letter instead.`,
    )
  const signature = {
    signer: name,
    key_id: 'mock',
    algorithm: 'ES256',
    certificate_fingerprint: kind === 'pdf' ? '0'.repeat(64) : null,
    covers_whole_file: text === (kind === 'pdf' ? mockPdf(code) : mockCredential(code)),
  }
  if (!signature.covers_whole_file)
    return {
      ...checkFailure(
        'altered',
        `This file was changed after ${name} signed it. Do not rely on it; check the code of the letter instead.`,
      ),
      signature,
    }
  return {
    result: 'genuine',
    message: `This file was signed by ${name} and has not been changed since.`,
    kind,
    signature,
    letter: checkLetter(state, code, now),
  }
}

/** Returns an archive without files, which is only an end record. */
export const archiveResponse = (now: Date) =>
  fileResponse(
    `PK\u0005\u0006${'\0'.repeat(18)}`,
    'application/zip',
    `verification_letters_${toIsoDate(now)}.zip`,
  )

export const letterFiles: HandlersOf<typeof routes> = {
  pdf({ params, state }) {
    requireLetter(state, params.code)
    return fileResponse(mockPdf(params.code), 'application/pdf', `verification-letter-${params.code}.pdf`)
  },
  credential({ params, state }) {
    requireLetter(state, params.code)
    return fileResponse(
      mockCredential(params.code),
      'application/vc+jwt',
      `verification-credential-${params.code}.jwt`,
    )
  },
  openBadge({ params, state }) {
    requireLetter(state, params.code)
    return fileResponse(
      mockCredential(params.code),
      'application/jwt',
      `verification-open-badge-${params.code}.jwt`,
    )
  },
  checkFile({ file: uploaded, state, now }) {
    if (!uploaded) throw invalidField('file', uploadMessages.noFile)
    const check = checkText(state, new TextDecoder().decode(uploaded.bytes), now)
    const misnamed =
      check.kind && !namePatterns[check.kind].test(uploaded.name) && misnamedMessages[check.kind]
    if (misnamed) throw invalidField('file', misnamed)
    return check
  },
  checkCredential: ({ body, state, now }) => checkText(state, body.credential, now),
  email({ params, body, state, user }) {
    const payment = ownLetterOrFail(state, user, params.code)
    if (toLetterLink(state, payment)?.status === 'withdrawn') throw new Fault('LETTER_WITHDRAWN')
    return { message: `The letter was sent to ${body.email}.` }
  },
  zip({ params, state, user, now }) {
    const payments = ownPayments(state, user).filter(
      item => item.transaction_id === params.transaction_id && item.letter_code,
    )
    if (payments.length === 0) throw new Fault('TRANSACTION_NOT_FOUND')
    return archiveResponse(now)
  },
}
