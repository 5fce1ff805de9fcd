import { Alert } from '@portal/ui/alert'
import { Button } from '@portal/ui/button'
import { CopyButton } from '@portal/ui/copy-button'
import { Dialog } from '@portal/ui/dialog'
import { Code } from '@portal/ui/mono'
import type { ReactNode } from 'react'
import styles from '../organisations.module.css'
import developerStyles from './developers.module.css'

interface Props {
  title: string
  /** A sentence that explains what to do with the secret. */
  note: string
  secret: string
  copyLabel: string
  onClose: () => void
  children?: ReactNode
}

/** A secret that is shown once. Only its button closes the dialog, so that a stray click does not lose it. */
export function SecretDialog({ title, note, secret, copyLabel, onClose, children }: Props) {
  return (
    <Dialog
      open
      closable={false}
      onClose={onClose}
      title={title}
      footer={
        <Button variant="primary" onClick={onClose}>
          Done
        </Button>
      }
    >
      <div className={styles.facts}>
        <Alert tone="warning" title={note} />
        <div className={developerStyles.secret}>
          <Code>{secret}</Code>
          <CopyButton text={secret} label={copyLabel} />
        </div>
        {children}
      </div>
    </Dialog>
  )
}
