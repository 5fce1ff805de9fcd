import { separatorWarning } from './certificate-number-forms.ts'

/** Dry-run warning for a new certificate with a grade that no other certificate has. */
export const unusualGradeWarning = (grade: string) =>
  `No certificate in the register has the grade “${grade}”. Please check its spelling.`

/**
 * Returns the dry-run warning for a new certificate, if any.
 * @param onRecord existing number that differs only in its separators
 * @param newGrade its grade, if no certificate in the register has it
 */
export function newRowWarning(
  number: string,
  { onRecord, newGrade }: { onRecord: string | undefined; newGrade: string | null },
): string | undefined {
  const warnings = [
    separatorWarning(number, onRecord),
    newGrade === null ? undefined : unusualGradeWarning(newGrade),
  ]
  return warnings.filter(text => text !== undefined).join(' ') || undefined
}
