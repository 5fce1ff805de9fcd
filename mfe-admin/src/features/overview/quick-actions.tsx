import { Link } from '@portal/router'
import { paths } from '@portal/router/paths'
import { Icon } from '@portal/ui/icon'
import { ArrowRight, Banknote, ChartLine, ScrollText, Settings, Upload, UserCog, Users } from 'lucide-react'
import { hasTab } from '../../parts/tabs.ts'
import styles from './overview.module.css'

// In the order of the specification; a super admin's come from the tabs that only they have.
const actions = [
  { tab: 'users', title: 'Manage Users', text: 'Accounts: add, edit, enable, verify.', icon: Users },
  { tab: 'admins', title: 'Manage Admins', text: 'Who runs the portal, and with which role.', icon: UserCog },
  { tab: 'upload', title: 'Upload Certificates', text: 'A whole register from one CSV file.', icon: Upload },
  {
    tab: 'reports',
    title: 'View Reports',
    text: 'Verifications, payments, reconciliation.',
    icon: ChartLine,
  },
  { tab: 'settings', title: 'Verification Fee', text: 'What one verification costs.', icon: Banknote },
  {
    tab: 'super-settings',
    title: 'Super Admin Settings',
    text: 'Institution, letter, policies.',
    icon: Settings,
  },
  { tab: 'logs', title: 'Activity Logs', text: 'Who did what, and when.', icon: ScrollText },
] as const

/** Ways on from the overview: those that the role has. */
export function QuickActions({ role }: { role: string | undefined }) {
  return (
    <nav aria-label="Quick actions">
      <ul className={styles.actions}>
        {actions
          .filter(({ tab }) => hasTab(tab, role))
          .map(action => (
            <li key={action.tab}>
              <Link className={styles.action} to={paths.dashboard(action.tab)}>
                <Icon icon={action.icon} size={20} className={styles.glyph} />
                <span className={styles.actionWords}>
                  <span className={styles.actionTitle}>{action.title}</span>
                  <span className={styles.second}>{action.text}</span>
                </span>
                <Icon icon={ArrowRight} size={16} className={styles.arrow} />
              </Link>
            </li>
          ))}
      </ul>
    </nav>
  )
}
