import { q } from '@portal/api/query'
import { adminSettings } from '@portal/contract/admin-settings'
import type { VerificationTemplate } from '@portal/contract/letter'
import type { LetterTexts } from '@portal/contract/letter-texts'
import { buildLetter } from '@portal/letter/model'
import { LetterPage } from '@portal/letter/page'
import { Button } from '@portal/ui/button'
import { Dialog } from '@portal/ui/dialog'
import { Skeleton } from '@portal/ui/skeleton'
import { useQuery } from '@tanstack/react-query'
import { Maximize2 } from 'lucide-react'
import { useDeferredValue, useMemo, useState } from 'react'
import { completeInstitution } from './complete-settings.ts'
import styles from './super-settings.module.css'

/** Placeholder data that cannot be mistaken for a real letter. */
const specimen = {
  letterHolder: {
    name: 'Specimen Requester',
    address: 'Specimen Requester, Address line 1, City, State, Country',
  },
  certificate: {
    certificate_number: 'XX/0000/00000',
    student_name: 'Specimen Graduate',
    course: 'Bachelor of Specimens',
    grade: 'Specimen Class',
    graduation_date: '2000-01-01',
  },
  refNumber: 'SPECIMEN/0000/000000',
  issuedAt: new Date('2000-01-01T00:00:00Z'),
}

interface Props {
  signature: VerificationTemplate['signature']
  texts: LetterTexts
}

/** Preview of the letter: the form's values and placeholder data, in the component that also renders issued letters. */
export function LetterPreview({ signature, texts }: Props) {
  const { data: institution } = useQuery(q(adminSettings.institution))
  const [isEnlarged, setIsEnlarged] = useState(false)
  // As text, so that the letter is built again only if a value has changed.
  const serialised = useDeferredValue(JSON.stringify({ signature, texts }))
  const letter = useMemo(() => {
    const input: Props = JSON.parse(serialised)
    return (
      institution && buildLetter({ ...specimen, institution: completeInstitution(institution), ...input })
    )
  }, [institution, serialised])
  return (
    <section className={styles.preview} aria-label="Letter preview">
      <header className={styles.previewHead}>
        <h2>Preview</h2>
        <Button
          size="sm"
          variant="quiet"
          icon={Maximize2}
          disabled={!letter}
          onClick={() => setIsEnlarged(true)}
        >
          Enlarge
        </Button>
      </header>
      <div className={styles.sheet}>
        {letter ? <LetterPage template={letter} /> : <Skeleton size="block" />}
      </div>
      <p className={styles.caption}>A specimen with this text. Issued letters carry a verification code.</p>
      <Dialog open={isEnlarged} onClose={() => setIsEnlarged(false)} title="Letter preview" size="lg">
        {letter && (
          // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable area must be reachable by keyboard
          <section className={styles.large} aria-label="Enlarged letter" tabIndex={0}>
            <div className={styles.sheet}>
              <LetterPage template={letter} />
            </div>
          </section>
        )}
      </Dialog>
    </section>
  )
}
