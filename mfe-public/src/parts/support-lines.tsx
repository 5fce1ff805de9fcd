import { useSettings } from '@portal/api/settings'
import { telephoneHref } from '@portal/format/contact-link'
import { useState } from 'react'
import styles from './support-lines.module.css'

/** Lists the support team's address, telephone numbers and hours, as far as the settings have them. */
export function SupportLines() {
  const { data, isError, refetch } = useSettings()
  const institution = data?.institution
  const [retrying, setRetrying] = useState(false)
  const retry = async () => {
    setRetrying(true)
    await refetch()
    setRetrying(false)
  }
  if (!institution)
    return (
      <div className={styles.missing} role="status">
        {isError || data || retrying ? (
          <>
            <p>The contact details could not be loaded.</p>
            <button
              type="button"
              className={styles.retry}
              aria-busy={retrying}
              aria-disabled={retrying}
              onClick={retrying ? undefined : retry}
            >
              {retrying ? 'Trying again…' : 'Try again'}
            </button>
          </>
        ) : (
          <p>Loading the contact details…</p>
        )}
      </div>
    )
  return (
    <dl className={styles.list}>
      <div>
        <dt>Email</dt>
        <dd>
          <a href={`mailto:${institution.support_email}`}>{institution.support_email}</a>
        </dd>
      </div>
      {institution.support_phones.length > 0 && (
        <div>
          <dt>Phone</dt>
          {institution.support_phones.map(phone => (
            <dd key={phone}>
              <a href={telephoneHref(phone)}>{phone}</a>
            </dd>
          ))}
        </div>
      )}
      <div>
        <dt>Hours</dt>
        <dd>{institution.business_hours}</dd>
      </div>
    </dl>
  )
}
