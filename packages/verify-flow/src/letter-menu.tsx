import type { OrganisationLetter } from '@portal/contract/organisation-shapes'
import { ButtonLink } from '@portal/ui/button'
import { DialogLoading } from '@portal/ui/dialog-loading'
import { Icon } from '@portal/ui/icon'
import { Menu, type MenuItem } from '@portal/ui/menu'
import { Award, BadgeCheck, ChevronDown, FileDown, FileText, Mail, Printer, ShieldCheck } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import styles from './letter-menu.module.css'

const EmailLetter = lazy(() => import('./email-letter.tsx'))

interface Props {
  /** A letter, which in test mode is the specimen. */
  letter: OrganisationLetter
  /** The certificate number, which identifies the letter for the user. */
  number: string
}

/** Returns the menu items that need a signed letter; none for the specimen. */
const signedLetterItems = (
  { credential_url, open_badge_url }: OrganisationLetter,
  onEmail: () => void,
): MenuItem[] =>
  credential_url === null || open_badge_url === null
    ? []
    : [
        { id: 'credential', label: 'Download credential', icon: BadgeCheck, href: credential_url },
        { id: 'badge', label: 'Download Open Badge', icon: Award, href: open_badge_url },
        { id: 'email', label: 'Email to a colleague', icon: Mail, onSelect: onEmail },
      ]

/**
 * Returns the menu items for a letter and the email dialog. `pdfShown` leaves out the PDF download, and `print` adds printing.
 */
function useLetterItems(
  { letter, number }: Props,
  { pdfShown = false, print }: { pdfShown?: boolean; print?: (() => void) | undefined } = {},
) {
  const [isEmailing, setEmailing] = useState(false)
  const items: MenuItem[] = [
    { id: 'check', label: 'Public verification page', icon: ShieldCheck, href: letter.url },
    ...(pdfShown ? [] : [{ id: 'pdf', label: 'Download PDF', icon: FileDown, href: letter.pdf_url }]),
    ...signedLetterItems(letter, () => setEmailing(true)),
    ...(print ? [{ id: 'print', label: 'Print withdrawn letter', icon: Printer, onSelect: print }] : []),
  ]
  const dialog = isEmailing && (
    <Suspense fallback={<DialogLoading title="Email to a colleague" onClose={() => setEmailing(false)} />}>
      <EmailLetter letter={letter} number={number} onClose={() => setEmailing(false)} />
    </Suspense>
  )
  return { items, dialog }
}

/** A menu with all actions for a letter except printing. `print` adds an item that prints a withdrawn letter. */
export function LetterMenu({ print, ...props }: Props & { print?: (() => void) | undefined }) {
  const { items, dialog } = useLetterItems(props, { print })
  return (
    <>
      <Menu
        label={`Letter for ${props.number}`}
        className={styles.trigger}
        trigger={
          <>
            <Icon icon={FileText} size={16} />
            Letter
            <Icon icon={ChevronDown} size={14} />
          </>
        }
        items={items}
      />
      {dialog}
    </>
  )
}

/** A button for the PDF and a menu with the other actions. `print` adds an item that prints a withdrawn letter. */
export function LetterActions({ print, ...props }: Props & { print?: (() => void) | undefined }) {
  const { items, dialog } = useLetterItems(props, { pdfShown: true, print })
  return (
    <>
      <ButtonLink icon={FileDown} href={props.letter.pdf_url} download>
        <span className={styles.pdf}>
          <span>Download </span>PDF
        </span>
      </ButtonLink>
      <Menu
        label={`More actions for the letter for ${props.number}`}
        className={styles.more}
        trigger={
          <>
            More
            <Icon icon={ChevronDown} size={16} />
          </>
        }
        items={items}
      />
      {dialog}
    </>
  )
}
