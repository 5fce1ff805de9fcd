import { Link } from '@portal/router'
import { paths } from '@portal/router/paths'
import { Icon } from '@portal/ui/icon'
import { ArrowRight, History, ShieldCheck, UserRound } from 'lucide-react'
import styles from './page.module.css'

const shortcuts = [
  {
    tab: 'verify',
    title: 'Verify Certificate',
    text: 'Enter a number and get the official letter.',
    icon: ShieldCheck,
  },
  {
    tab: 'history',
    title: 'View History',
    text: 'All your verifications, with their letters to print.',
    icon: History,
  },
  {
    tab: 'profile',
    title: 'Update Profile',
    text: 'Your name and the address on your letters.',
    icon: UserRound,
  },
] as const

/** The three shortcuts on the overview. */
export function Shortcuts() {
  return (
    <ul className={styles.shortcuts} aria-label="Shortcuts">
      {shortcuts.map(shortcut => (
        <li key={shortcut.tab}>
          <Link className={styles.shortcut} to={paths.dashboard(shortcut.tab)}>
            <span className={styles.glyph}>
              <Icon icon={shortcut.icon} size={22} />
            </span>
            <span className={styles.shortcutWords}>
              <span className={styles.shortcutTitle}>{shortcut.title}</span>
              <span className={styles.shortcutText}>{shortcut.text}</span>
            </span>
            <Icon icon={ArrowRight} size={18} className={styles.arrow} />
          </Link>
        </li>
      ))}
    </ul>
  )
}
