import { Link } from '@portal/router'
import { paths } from '@portal/router/paths'
import { useFee } from '../../parts/settings.ts'
import styles from './features.module.css'

/** Section that lists what the service does, as terms with descriptions. */
export function Features() {
  const fee = useFee()
  return (
    <section id="features" className={styles.section} aria-labelledby="features-title">
      <h2 id="features-title" className={styles.title}>
        Features
      </h2>
      <dl className={styles.list}>
        <div className={styles.item}>
          <dt>An instant answer</dt>
          <dd>
            As soon as the payment is confirmed, you see the graduate’s name, course, grade and graduation
            date.
          </dd>
        </div>
        <div className={styles.item}>
          <dt>An official letter</dt>
          <dd>
            Each verification comes with a letter on the university’s letterhead, addressed to your
            organisation and ready to print on A4.
          </dd>
        </div>
        <div className={styles.item}>
          <dt>Letters that can be checked</dt>
          <dd>
            Anyone who receives the letter can scan its code to see whether it is genuine and still valid.
          </dd>
        </div>
        <div className={styles.item}>
          <dt>One fee, shown upfront</dt>
          <dd>
            {fee ? `A verification costs ${fee}. ` : 'The fee is shown before you pay. '}
            Opening a certificate that you have already paid for costs nothing.
          </dd>
        </div>
        <div className={styles.item}>
          <dt>Secure payment</dt>
          <dd>
            You pay on the payment provider’s page. A payment counts only after the provider has confirmed it
            to us.
          </dd>
        </div>
        <div className={styles.item}>
          <dt>Nothing gets lost</dt>
          <dd>
            Every verification stays in your history with its letter. A payment can be{' '}
            <Link to={paths.trackPayment()}>tracked without an account</Link>.
          </dd>
        </div>
      </dl>
    </section>
  )
}
