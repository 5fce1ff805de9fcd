import { useInstitution } from '../../parts/settings.ts'
import styles from './about.module.css'

/** Section about the university behind the service. Its figures are the institution's claims, shown as a sentence. */
export function About() {
  const institution = useInstitution()
  const name = institution?.name ?? 'the university'
  return (
    <section id="about" className={styles.section} aria-labelledby="about-title">
      <h2 id="about-title" className={styles.title}>
        About {name}
      </h2>
      <div className={styles.columns}>
        <p className={styles.claim}>
          50,000+ certificates verified, with 99.9% accuracy, for employers and institutions, 24/7.
        </p>
        <div className={styles.text}>
          <p>
            The registry of {name} keeps the record of every certificate that the university awards: the
            graduate, the course, the grade and the date. This service answers only from that record.
          </p>
          <p>
            If the number is in the register, you get a signed letter. If it is not, you get a reference to
            give to our support team, and someone will look into it: there are misprints and old numbering
            schemes.
          </p>
          {institution && <address className={styles.address}>{institution.address}</address>}
        </div>
      </div>
    </section>
  )
}
