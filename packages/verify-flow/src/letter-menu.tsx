import type { LetterLink } from '@portal/contract/letter'
import { Button, ButtonLink } from '@portal/ui/button'
import { DialogLoading } from '@portal/ui/dialog-loading'
import { Icon } from '@portal/ui/icon'
import { Menu } from '@portal/ui/menu'
import { Award, BadgeCheck, ChevronDown, FileDown, FileText, Mail, ShieldCheck } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import styles from './letter-menu.module.css'

const EmailLetter = lazy(() => import('./email-letter.tsx'))

interface Props {
  letter: LetterLink
  /** Which letter it is, by its certificate's number. */
  number: string
}

/** Everything that can be done with a letter besides printing it. */
export function LetterMenu({ letter, number }: Props) {
  const [mailing, setMailing] = useState(false)
  return (
    <>
      <Menu
        label={`Letter for ${number}`}
        className={styles.trigger}
        trigger={
          <>
            <Icon icon={FileText} size={16} />
            Letter
            <Icon icon={ChevronDown} size={14} />
          </>
        }
        items={[
          { id: 'check', label: 'How others check it', icon: ShieldCheck, href: letter.url },
          { id: 'pdf', label: 'Download PDF', icon: FileDown, href: letter.pdf_url },
          { id: 'credential', label: 'Download credential', icon: BadgeCheck, href: letter.credential_url },
          { id: 'badge', label: 'Download Open Badge', icon: Award, href: letter.open_badge_url },
          { id: 'email', label: 'Email to a colleague', icon: Mail, onSelect: () => setMailing(true) },
        ]}
      />
      {mailing && (
        <Suspense fallback={<DialogLoading title="Email to a colleague" onClose={() => setMailing(false)} />}>
          <EmailLetter letter={letter} number={number} onClose={() => setMailing(false)} />
        </Suspense>
      )}
    </>
  )
}

/** The same as buttons, where there is room for them. */
export function LetterButtons({ letter, number }: Props) {
  const [mailing, setMailing] = useState(false)
  return (
    <>
      <ButtonLink icon={FileDown} href={letter.pdf_url} download>
        Download PDF
      </ButtonLink>
      <ButtonLink icon={BadgeCheck} href={letter.credential_url} download>
        Download credential
      </ButtonLink>
      <ButtonLink icon={Award} href={letter.open_badge_url} download>
        Download Open Badge
      </ButtonLink>
      <Button icon={Mail} onClick={() => setMailing(true)}>
        Email to a colleague
      </Button>
      <div className={styles.check}>
        <ButtonLink variant="quiet" icon={ShieldCheck} href={letter.url}>
          How others check it
        </ButtonLink>
      </div>
      {mailing && (
        <Suspense fallback={<DialogLoading title="Email to a colleague" onClose={() => setMailing(false)} />}>
          <EmailLetter letter={letter} number={number} onClose={() => setMailing(false)} />
        </Suspense>
      )}
    </>
  )
}
