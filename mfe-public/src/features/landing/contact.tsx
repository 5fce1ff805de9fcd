import { Link } from '@portal/router'
import { paths } from '@portal/router/paths'
import { SupportLines } from '../../parts/support-lines.tsx'
import styles from './contact.module.css'

/** Section with the contact details of the registry's support, and what to have ready. */
export function Contact() {
  return (
    <section id="contact" className={styles.section} aria-labelledby="contact-title">
      <h2 id="contact-title" className={styles.title}>
        Contact
      </h2>
      <div className={styles.columns}>
        <p className={styles.lead}>
          Contact us about a missing payment, a number that should be in the register, or a letter. Have the
          transaction ID ready. The <Link to={paths.help()}>help page</Link> answers many questions.
        </p>
        <SupportLines />
      </div>
    </section>
  )
}
