import { Link } from '@portal/router'
import { paths } from '@portal/router/paths'
import { telephoneHref } from '../../parts/contact-link.ts'
import { useSettings } from '../../parts/settings.ts'
import styles from './contact.module.css'

/** How to reach the registry's support: one address, two lines, the hours; all from the settings. */
export function Contact() {
  const { data, isError, refetch } = useSettings()
  const institution = data?.institution
  return (
    <section id="contact" className={styles.section} aria-labelledby="contact-title">
      <h2 id="contact-title" className={styles.title}>
        Contact
      </h2>
      <div className={styles.columns}>
        <p className={styles.lead}>
          A payment that does not arrive, a number that should be on record, a letter to explain: write or
          call. Have the transaction ID at hand if there is one. Many answers are on the{' '}
          <Link to={paths.help()}>help page</Link>.
        </p>
        {institution ? (
          <dl className={styles.list}>
            <div>
              <dt>Email</dt>
              <dd>
                <a href={`mailto:${institution.support_email}`}>{institution.support_email}</a>
              </dd>
            </div>
            <div>
              <dt>Phone</dt>
              {institution.support_phones.map(phone => (
                <dd key={phone}>
                  <a href={telephoneHref(phone)}>{phone}</a>
                </dd>
              ))}
            </div>
            <div>
              <dt>Hours</dt>
              <dd>{institution.business_hours}</dd>
            </div>
          </dl>
        ) : (
          <div className={styles.missing} role="status">
            {isError ? (
              <>
                <p>The contact details could not be loaded.</p>
                <button type="button" className={styles.retry} onClick={() => void refetch()}>
                  Try again
                </button>
              </>
            ) : (
              <p>Loading the contact details…</p>
            )}
          </div>
        )}
      </div>
    </section>
  )
}
