import { Button, ButtonLink } from '@portal/ui/button'
import { ConfirmDialog } from '@portal/ui/confirm-dialog'
import { CopyButton } from '@portal/ui/copy-button'
import { Dialog } from '@portal/ui/dialog'
import { Drawer } from '@portal/ui/drawer'
import { IconButton } from '@portal/ui/icon-button'
import { Panel } from '@portal/ui/panel'
import { PasswordInput } from '@portal/ui/password-input'
import { TextInput } from '@portal/ui/text-input'
import { showToast } from '@portal/ui/toast-store'
import { Tooltip } from '@portal/ui/tooltip'
import { Bell, Download, Pencil, Printer, Trash2 } from 'lucide-react'
import { useState } from 'react'
import styles from './gallery.module.css'

const dialogs = ['login', 'confirm', 'drawer', 'details'] as const

/** Buttons and dialogs. `#login`, `#confirm`, `#drawer` or `#details` in the address opens one of them. */
export function Actions() {
  const [open, setOpen] = useState(dialogs.find(name => window.location.hash === `#${name}`))
  const close = () => setOpen(undefined)
  return (
    <Panel title="Actions" variant="plain">
      <div className={styles.stack}>
        <div className={styles.row}>
          <Button variant="primary">Verify Certificate</Button>
          <Button icon={Download}>Export CSV</Button>
          <Button variant="quiet" icon={Pencil}>
            Edit
          </Button>
          <Button variant="danger" icon={Trash2}>
            Delete
          </Button>
          <ButtonLink href="#letter" icon={Printer}>
            Print Letter
          </ButtonLink>
        </div>
        <div className={styles.row}>
          <Button variant="primary" size="lg">
            Proceed to Payment
          </Button>
          <Button size="sm">Refresh</Button>
          <Button variant="primary" busy busyLabel="Checking…">
            Verify
          </Button>
          <Button variant="primary" disabledReason="Enter a certificate number first">
            Verify Certificate
          </Button>
          <Button disabled>Previous</Button>
        </div>
        <div className={styles.row}>
          <IconButton icon={Bell} label="Notifications, 3 unread" count={3} />
          <IconButton icon={Trash2} label="Delete" disabled />
          <CopyButton text="CVF0-1234" label="Copy transaction ID" />
          <Tooltip text="Verification History">
            <IconButton icon={Printer} label="Verification History" title="" />
          </Tooltip>
        </div>
        <div className={styles.row}>
          <Button onClick={() => setOpen('login')}>Open dialog</Button>
          <Button onClick={() => setOpen('confirm')}>Ask before deleting</Button>
          <Button onClick={() => setOpen('drawer')}>Open drawer</Button>
          <Button onClick={() => setOpen('details')}>Open details</Button>
          <Button
            onClick={() => showToast({ tone: 'success', message: 'Payment status refreshed successfully.' })}
          >
            Show toast
          </Button>
          <Button onClick={() => showToast({ tone: 'danger', message: 'No data to export' })}>
            Show error toast
          </Button>
        </div>
      </div>
      <Dialog
        open={open === 'login'}
        onClose={close}
        title="Login to Your Account"
        description="Your verifications and letters are kept with your account."
        footer={
          <>
            <Button onClick={close}>Cancel</Button>
            <Button variant="primary">Login</Button>
          </>
        }
      >
        <div className={styles.stack}>
          <TextInput label="Email" type="email" autoComplete="username" />
          <PasswordInput label="Password" autoComplete="current-password" error="Password is required" />
        </div>
      </Dialog>
      <ConfirmDialog
        open={open === 'confirm'}
        title="Delete this certificate?"
        confirmLabel="Delete"
        onConfirm={close}
        onCancel={close}
      >
        <p>UG/2019/00123 will no longer be found. Letters already issued stay valid.</p>
      </ConfirmDialog>
      <Drawer open={open === 'drawer'} onClose={close} title="Menu">
        <p>Navigation on small screens.</p>
      </Drawer>
      <Drawer open={open === 'details'} onClose={close} title="Transaction" side="end">
        <p>Details of a record.</p>
      </Drawer>
    </Panel>
  )
}
