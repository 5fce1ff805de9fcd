import { SPECIMEN } from '@portal/letter/code'
import { useParams } from '@portal/router'
import { PageCard } from '../../parts/page-card.tsx'
import { useArrivalFocus, useDescription, useNoIndex } from '../../parts/page-head.ts'
import { withQueryCache } from '../../parts/with-query-cache.tsx'
import { CheckPage } from './check-page.tsx'
import { CodeForm } from './code-form.tsx'
import { CREDENTIALS, Credentials } from './credentials.tsx'
import { FileCheck } from './file-check.tsx'
import styles from './page.module.css'
import { Specimen } from './specimen.tsx'

/** Page that checks whether a letter is genuine and still valid, by its code (scanned or typed) or by its file. */
function LettersPage() {
  useDescription('Check whether a verification letter is genuine and still valid.')
  const { code = '' } = useParams()
  useNoIndex(code !== '' && code !== CREDENTIALS)
  const heading = useArrivalFocus<HTMLHeadingElement>()
  // `credentials` cannot be a letter's code, so this route also shows that page: a separate route would make every first visit
  // download more.
  if (code === CREDENTIALS) return <Credentials />
  if (code.toUpperCase() === SPECIMEN) return <Specimen headingRef={heading} />
  if (code !== '') return <CheckPage key={code} code={code} headingRef={heading} />
  return (
    <PageCard title="Check a letter" headingRef={heading}>
      <p>
        Every verification letter has a code at its foot, in three groups of four. Enter it to see immediately
        whether the institution issued the letter and whether it is still valid. No account is needed.
      </p>
      <CodeForm />
      <section className={styles.file} aria-labelledby="by-file">
        <h2 id="by-file" className={styles.subheading}>
          Or check the file
        </h2>
        <p>
          A letter that was sent as a PDF has the institution’s signature. Drop it here to find out whether
          even one byte was changed.
        </p>
        <FileCheck />
      </section>
    </PageCard>
  )
}

export default withQueryCache(LettersPage)
