import { useSettings } from '@portal/api/settings'
import styles from './verify-widget.module.css'

/** The contact details of support, from the settings. Renders nothing until these have loaded. */
export function Support() {
  const { data } = useSettings()
  if (!data?.institution) return null
  const { support_email: email, support_phones: phones, business_hours: hours } = data.institution
  return (
    <span className={styles.support}>
      <a href={`mailto:${email}`}>{email}</a>
      {phones.map(phone => (
        <a key={phone} href={`tel:${phone.replace(/[^+\d]/g, '')}`}>
          {phone}
        </a>
      ))}
      <span>{hours}</span>
    </span>
  )
}
