import type { Certificate } from '@portal/contract/shapes'
import { newRowWarning } from '@portal/contract/upload-warnings'
import { findOtherForm } from './payments.ts'
import type { MockState } from './state.ts'

/** Returns the dry-run warning for a new certificate, if any. */
export function uploadWarning(
  state: MockState,
  { certificate_number: number, grade }: Pick<Certificate, 'certificate_number' | 'grade'>,
): string | undefined {
  const { certificates } = state
  const isNewGrade = certificates.length > 0 && !certificates.some(known => known.grade === grade)
  return newRowWarning(number, {
    onRecord: findOtherForm(state, number),
    newGrade: isNewGrade ? grade : null,
  })
}
