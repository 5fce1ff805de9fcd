import type { Institution } from '@portal/contract/verification'
import { LetterPage } from '@portal/letter/page'
import { specimenLetter } from './specimen.ts'

/** The letter as printed, without real data. */
export default function SpecimenLetter({ institution }: { institution: Institution | undefined }) {
  return <LetterPage template={specimenLetter(institution)} />
}
