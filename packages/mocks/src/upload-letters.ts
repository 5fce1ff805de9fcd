import type { ReportRow } from '@portal/contract/admin-uploads'
import { isOnLetters } from '@portal/contract/letter'
import { fieldLabels, uploadFields } from '@portal/contract/upload-columns'
import { issuedLettersOf } from './certificate-detail.ts'
import type { MockState } from './state.ts'

const affectsLetters = (changes: string) =>
  uploadFields.some(field => isOnLetters(field) && changes.includes(`${fieldLabels[field]}: `))

/** Counts the valid letters that show a field that the upload changed. */
export const countAffectedLetters = (state: MockState, report: readonly ReportRow[]) =>
  report
    .filter(({ outcome, changes = '' }) => outcome === 'updated' && affectsLetters(changes))
    .flatMap(({ certificate_number }) => issuedLettersOf(state, certificate_number))
    .filter(({ status }) => status === 'valid').length
