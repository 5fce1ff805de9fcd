import type { Institution } from '@portal/contract/verification'
import { LetterPage } from '@portal/letter/page'
import { makeSpecimenLetter } from './specimen.ts'

/** The letter as printed, without real data. */
export default function SpecimenLetter({ institution }: { institution: Institution | undefined }) {
  return <LetterPage template={makeSpecimenLetter(institution)} />
}
