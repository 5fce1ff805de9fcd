import { Link } from '@portal/router'
import { paths } from '@portal/router/paths'
import { ThemeSwitch } from '@portal/ui/theme-switch'
import { useInstitution } from './settings.ts'
import styles from './site-footer.module.css'

/** Footer with the institution's name and links to every page that is not in the header. */
export function SiteFooter() {
  const institution = useInstitution()
  return (
    <footer className={styles.footer} data-print="hidden">
      <div className={styles.inner}>
        <p className={styles.who}>
          <span className={styles.name}>{institution?.name ?? 'Certificate Verification'}</span>
          {institution && <span>{institution.address}</span>}
        </p>
        <nav aria-label="Footer">
          <ul className={styles.links}>
            <li>
              <Link to={paths.letter()}>Check a letter</Link>
            </li>
            <li>
              <Link to={paths.trackPayment()}>Track Payments</Link>
            </li>
            <li>
              <Link to={paths.help()}>Help</Link>
            </li>
            <li>
              <Link to={paths.terms()}>Terms of use</Link>
            </li>
            <li>
              <Link to={paths.privacy()}>Privacy</Link>
            </li>
            {institution && (
              <li>
                <a href={`mailto:${institution.support_email}`}>Email support</a>
              </li>
            )}
          </ul>
        </nav>
        <ThemeSwitch />
      </div>
    </footer>
  )
}
