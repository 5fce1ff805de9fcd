import { SPECIMEN } from '@portal/letter/code'
import { ButtonLink } from '@portal/ui/button'
import { FileDown } from 'lucide-react'
import type { Ref } from 'react'
import { PageCard } from '../../parts/page-card.tsx'

/** Explains that the specimen letter is not proof of anything. */
export function Specimen({ headingRef }: { headingRef: Ref<HTMLHeadingElement> }) {
  return (
    <PageCard title="This letter is a specimen" headingRef={headingRef} tone="warning">
      <p>
        The institution did not issue this letter: it shows developers what a letter looks like, is not
        signed, and names no real person. Do not rely on it.
      </p>
      <p>
        For developers: in test mode, the API reports this letter as valid or withdrawn, so that you can
        handle both. As proof of a degree, it is neither.
      </p>
      <p>If someone gave it to you as proof of a degree, verify their certificate number instead.</p>
      <div>
        <ButtonLink href={`/api/letters/${SPECIMEN}.pdf`} icon={FileDown} download>
          Download the specimen
        </ButtonLink>
      </div>
    </PageCard>
  )
}
