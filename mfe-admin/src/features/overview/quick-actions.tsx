import { Link } from '@portal/router'
import { paths } from '@portal/router/paths'
import { Icon } from '@portal/ui/icon'
import { Banknote, ChartLine, ScrollText, Settings, Upload, UserCog, Users } from 'lucide-react'
import { useId } from 'react'
import { hasTab } from '../../parts/tabs.ts'
import styles from './overview.module.css'

const actions = {
  users: { title: 'Manage Users', text: 'Accounts: add, edit, enable, verify.', icon: Users },
  admins: { title: 'Manage Admins', text: 'Staff accounts and their roles.', icon: UserCog },
  upload: { title: 'Upload Certificates', text: 'Many at once, from a CSV file.', icon: Upload },
  reports: { title: 'View Reports', text: 'Verifications, payments, reconciliation.', icon: ChartLine },
  settings: { title: 'Verification Fee', text: 'The price of one verification.', icon: Banknote },
  analytics: { title: 'Analytics', text: 'Revenue, volume and outcomes.', icon: ChartLine },
  'super-settings': { title: 'Super Admin Settings', text: 'Institution, letter, policies.', icon: Settings },
  logs: { title: 'Activity Logs', text: 'Who did what, and when.', icon: ScrollText },
} as const

/** Quick-action cards by role (specification, section 2). */
const adminTabs = ['users', 'upload', 'reports', 'settings'] as const
const superAdminTabs = ['users', 'admins', 'upload', 'analytics', 'super-settings', 'logs'] as const

/** Links to the main screens, limited to those the role can open. */
export function QuickActions({ role }: { role: string | undefined }) {
  const headingId = useId()
  const tabs = role === 'super_admin' ? superAdminTabs : adminTabs
  return (
    <nav className={styles.ways} aria-labelledby={headingId} data-print="hidden">
      <h2 id={headingId} className={styles.waysTitle}>
        Quick actions
      </h2>
      <ul className={styles.actions}>
        {tabs
          .filter(tab => hasTab(tab, role))
          .map(tab => (
            <li key={tab}>
              <Link className={styles.action} to={paths.dashboard(tab)}>
                <Icon icon={actions[tab].icon} size={20} className={styles.glyph} />
                <span className={styles.actionWords}>
                  <span className={styles.actionTitle}>{actions[tab].title}</span>
                  <span className={styles.second}>{actions[tab].text}</span>
                </span>
              </Link>
            </li>
          ))}
      </ul>
    </nav>
  )
}
