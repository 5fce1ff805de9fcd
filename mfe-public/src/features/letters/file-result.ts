import type { FileCheck } from '@portal/contract/letter-files'
import type { AlertTone } from '@portal/ui/alert'
import { statusTextOf } from './status-text.ts'

/** The result of a file check, as the page shows it. */
export interface FileVerdict {
  tone: AlertTone
  title: string
  text: string
}

/** Maximum size of a file in bytes; the server rejects larger ones. */
export const MAX_BYTES = 5 * 1024 * 1024

const kinds = { pdf: 'PDF', credential: 'credential' }

/**
 * Returns the title, text and tone for the result of a file check. A genuine signature is not sufficient: a letter that is no
 * longer valid is never shown as valid.
 * @param expectedCode code of the letter on the page, if the file should contain that letter
 */
export function toVerdict(check: FileCheck, expectedCode?: string): FileVerdict {
  const { result, message, signature, letter } = check
  const kind = check.kind ? kinds[check.kind] : 'file'
  const signer = signature?.signer ?? 'the institution'
  switch (result) {
    case 'genuine': {
      const unchanged = `Signed by ${signer}, and not changed since.`
      if (!letter)
        return {
          tone: 'warning',
          title: 'The signature is genuine',
          text: `${unchanged} There is no letter for it in our records, so contact us before you rely on it.`,
        }
      if (letter.status !== 'valid')
        return {
          tone: letter.status === 'withdrawn' ? 'danger' : 'warning',
          title: `This ${kind} is genuine, but its letter is not valid`,
          text: `${unchanged} ${statusTextOf(letter.status, letter.status_since).text}`,
        }
      if (expectedCode !== undefined && letter.code !== expectedCode)
        return {
          tone: 'warning',
          title: `This ${kind} is genuine, but belongs to another letter`,
          text: `${unchanged} Its letter is valid, but it is not the one on this page.`,
        }
      return {
        tone: 'success',
        title: `This ${kind} is genuine, and its letter is valid`,
        text: `${unchanged} ${expectedCode === undefined ? 'It still matches the register.' : 'It is the letter on this page.'}`,
      }
    }
    // The server knows the exact reason, such as a revoked key or an expired credential.
    case 'altered':
      return { tone: 'danger', title: `This ${kind} was altered`, text: message }
    case 'not_ours':
      return { tone: 'warning', title: 'Not signed by this institution', text: message }
    case 'unreadable':
      return { tone: 'warning', title: 'This file could not be read', text: message }
  }
}

/** Returns why a file cannot be checked; undefined if it can. */
export function getFileProblem({ size }: Pick<File, 'size'>): string | undefined {
  if (size === 0) return 'This file is empty.'
  if (size > MAX_BYTES) return 'This file is larger than 5 MB; a letter is far smaller.'
  return undefined
}
