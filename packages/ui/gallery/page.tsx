import { Badge } from '@portal/ui/badge'
import { Avatar, Logo, logoSources } from '@portal/ui/logo'
import { Menu } from '@portal/ui/menu'
import { PageHeader } from '@portal/ui/page-header'
import { SkipLink } from '@portal/ui/skip-link'
import { ThemeSwitch } from '@portal/ui/theme-switch'
import { ToastRegion } from '@portal/ui/toast'
import { LogOut, UserRound } from 'lucide-react'
import { Actions } from './actions.tsx'
import { Fields } from './fields.tsx'
import styles from './gallery.module.css'
import { Journey } from './journey.tsx'
import { Records } from './records.tsx'
import { Tokens } from './tokens.tsx'
import { Words } from './words.tsx'

const noLogo = logoSources('/no-such-logo')

/** Every component in every state; use the theme switch and window width for the rest. */
export function Gallery() {
  return (
    <>
      <SkipLink />
      <header className={styles.bar}>
        <span className={styles.name}>
          <Logo name="University of Greenfield" sources={noLogo} size="sm" decorative />
          University of Greenfield
        </span>
        <span className={styles.account}>
          <ThemeSwitch />
          <Menu
            label="Account of Adébáyọ̀ Ọláṣẹ́ńí"
            trigger={<Avatar name="Adébáyọ̀ Ọláṣẹ́ńí" />}
            header={
              <>
                <p>
                  <strong>Adébáyọ̀ Ọláṣẹ́ńí</strong>
                </p>
                <p>user@demo.test</p>
                <Badge>User</Badge>
              </>
            }
            items={[
              {
                id: 'profile',
                label: 'Profile Settings',
                icon: UserRound,
                href: '#profile',
                onSelect: () => window.location.assign('#chosen'),
              },
              { id: 'out', label: 'Sign Out', icon: LogOut, danger: true },
            ]}
          />
        </span>
      </header>
      <main id="main" className={styles.page}>
        <PageHeader
          title="Components"
          description="The tokens of the design, and every UI component of the portal in every state."
        />
        <Tokens />
        <Words />
        <Actions />
        <Fields />
        <Journey />
        <Records />
      </main>
      <ToastRegion />
    </>
  )
}
