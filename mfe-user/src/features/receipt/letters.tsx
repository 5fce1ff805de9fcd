import { download } from '@portal/api/call'
import type { StatusReply } from '@portal/contract/verification'
import { FormActions } from '@portal/ui/form-layout'
import { lettersZip } from '@portal/verify-flow/letter-endpoints'
import { LetterActions } from '@portal/verify-flow/letter-menu'
import { useReissue } from '@portal/verify-flow/use-reissue'
import { LetterStatus } from '../../parts/letter-status.tsx'
import { ZipButton } from '../../parts/zip-button.tsx'
import styles from './page.module.css'

/** Offers the payment's letter in each format, or all letters of a bulk payment in one file. */
export function Letters({ payment }: { payment: StatusReply }) {
  const reissue = useReissue()
  const letters = payment.items.flatMap(({ letter, certificate_number: number }) =>
    letter ? [{ letter, number }] : [],
  )
  const { transaction_id } = payment
  const [firstLetter] = letters
  if (!firstLetter) return null
  const isSingle = letters.length === 1
  return (
    <section className={styles.letters} aria-labelledby="letters-title">
      <h2 id="letters-title" className={styles.lettersTitle}>
        {isSingle ? 'The letter' : `The ${letters.length} letters`}
      </h2>
      {isSingle ? (
        <>
          <LetterStatus {...firstLetter} reissue={reissue} />
          <FormActions>
            <LetterActions {...firstLetter} />
          </FormActions>
        </>
      ) : (
        <>
          <p className={styles.address}>They are also in your verification history.</p>
          <FormActions>
            <ZipButton fetch={() => download(lettersZip, { params: { transaction_id } })} />
          </FormActions>
        </>
      )}
    </section>
  )
}
