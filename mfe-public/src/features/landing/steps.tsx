import { useFee } from '../../parts/settings.ts'
import styles from './steps.module.css'

/** Section with the four steps, laid out like lines of a register: number, entry, remark. */
export function Steps() {
  const fee = useFee()
  return (
    <section className={styles.section} aria-labelledby="steps-title">
      <h2 id="steps-title" className={styles.title}>
        How it works
      </h2>
      <ol className={styles.ledger}>
        <li className={styles.entry}>
          <h3 className={styles.name}>Create account</h3>
          <p className={styles.text}>
            Register with the name and address of your organisation: the letter is addressed to it. Confirm
            your email address with the link we send you.
          </p>
          <p className={styles.remark}>Needed once, free of charge</p>
        </li>
        <li className={styles.entry}>
          <h3 className={styles.name}>Enter certificate details</h3>
          <p className={styles.text}>
            Type the certificate number exactly as it is printed. We ask for nothing else about the graduate.
          </p>
          <p className={styles.remark}>Only the number</p>
        </li>
        <li className={styles.entry}>
          <h3 className={styles.name}>Secure payment</h3>
          <p className={styles.text}>
            Pay the verification fee on the payment provider’s own page. Your payment details never reach us.
          </p>
          <p className={styles.remark}>{fee ? `${fee} for each certificate` : 'The fee is shown upfront'}</p>
        </li>
        <li className={styles.entry}>
          <h3 className={styles.name}>Get results</h3>
          <p className={styles.text}>
            Read what the register says about the certificate, and print the official verification letter.
            Both stay in your account.
          </p>
          <p className={styles.remark}>Instant</p>
        </li>
      </ol>
    </section>
  )
}
