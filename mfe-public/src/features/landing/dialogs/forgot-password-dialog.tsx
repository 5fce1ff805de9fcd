import { call } from '@portal/api/call'
import { referenceOf } from '@portal/api/error'
import { auth, emailOnly } from '@portal/contract/auth'
import { Alert } from '@portal/ui/alert'
import { Button } from '@portal/ui/button'
import { Dialog } from '@portal/ui/dialog'
import { FormActions, FormLayout } from '@portal/ui/form-layout'
import { TextInput } from '@portal/ui/text-input'
import { useState } from 'react'
import { CapturedMail } from '../../../parts/captured-mail.tsx'
import { failureText } from '../../../parts/failure.ts'
import { successTexts } from '../../../parts/success-texts.ts'
import { useApiForm } from '../../../parts/use-api-form.ts'
import styles from './dialogs.module.css'

interface Props {
  email: string
  onClose: () => void
  onLogin: () => void
}

/** Asks for an email address, then tells the user to check their mail. The response is the same for every address. */
export function ForgotPasswordDialog({ email, onClose, onLogin }: Props) {
  const [sent, setSent] = useState<{ email: string; message: string }>()
  const [initialEmail, setInitialEmail] = useState(email)
  if (sent)
    return (
      // The key makes React mount a new dialog, so that its title is announced.
      <Dialog key="sent" open onClose={onClose} title="Check Your Email" size="sm">
        <FormLayout>
          <Alert tone="success" silent>
            <p>{sent.message}</p>
            <p>
              We looked for an account with the address{' '}
              <strong className={styles.address}>{sent.email}</strong>. The link works for one hour. If no
              email arrives, check the spam folder. <CapturedMail email={sent.email} />
            </p>
          </Alert>
          <FormActions>
            <Button variant="primary" onClick={onLogin}>
              Back to Login
            </Button>
            <Button
              onClick={() => {
                setInitialEmail('')
                setSent(undefined)
              }}
            >
              Try Different Email
            </Button>
          </FormActions>
        </FormLayout>
      </Dialog>
    )
  return (
    <Dialog
      key="form"
      open
      onClose={onClose}
      title="Forgot Password"
      description="Enter the email address of your account. We’ll email you a link to choose a new password."
      size="sm"
    >
      <ForgotForm email={initialEmail} onSent={setSent} onLogin={onLogin} />
    </Dialog>
  )
}

interface FormProps {
  email: string
  onSent: (sent: { email: string; message: string }) => void
  onLogin: () => void
}

function ForgotForm({ email, onSent, onLogin }: FormProps) {
  const { bind, submit, busy, failure } = useApiForm({
    schema: emailOnly,
    defaults: { email },
    send: async body => {
      const { message } = await call(auth.forgotPassword, { body })
      onSent({ email: body.email, message: message || successTexts.resetLinkSent })
    },
  })
  return (
    <form noValidate onSubmit={submit}>
      <FormLayout>
        <TextInput
          label="Email address"
          type="email"
          autoComplete="username"
          inputMode="email"
          {...bind('email')}
        />
        {failure && (
          <Alert tone="danger" reference={referenceOf(failure)}>
            {failureText(failure)}
          </Alert>
        )}
        <FormActions>
          <Button type="submit" variant="primary" busy={busy} busyLabel="Sending…">
            Send Reset Link
          </Button>
          <Button variant="quiet" onClick={onLogin}>
            Back to Login
          </Button>
        </FormActions>
      </FormLayout>
    </form>
  )
}
