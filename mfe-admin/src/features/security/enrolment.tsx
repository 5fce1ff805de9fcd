import { zodResolver } from '@hookform/resolvers/zod'
import { fieldOf, submitWith } from '@portal/account-ui/form-props'
import { call } from '@portal/api/call'
import type { Reply } from '@portal/contract/route'
import { appCode, ownPassword, type secondFactor as routes } from '@portal/contract/second-factor'
import { buildQrPath } from '@portal/letter/qr'
import { useSession } from '@portal/session/store'
import { Alert } from '@portal/ui/alert'
import { Badge } from '@portal/ui/badge'
import { Button } from '@portal/ui/button'
import { CopyButton } from '@portal/ui/copy-button'
import { FormActions, FormLayout } from '@portal/ui/form-layout'
import { Code } from '@portal/ui/mono'
import { PasswordInput } from '@portal/ui/password-input'
import { TextInput } from '@portal/ui/text-input'
import { useMemo, useState } from 'react'
import { useForm } from 'react-hook-form'
import { secondFactor } from '../../parts/endpoints.ts'
import styles from './security.module.css'

type StartedEnrolment = Reply<typeof routes.begin>

/** Enrolment of an authenticator app: password, QR code, then a first code from the app. */
export function Enrolment({ onConfirmed }: { onConfirmed: (codes: readonly string[]) => void }) {
  const [started, setStarted] = useState<StartedEnrolment>()
  return started ? (
    <ConfirmEnrolment started={started} onConfirmed={onConfirmed} />
  ) : (
    <StartEnrolment onStarted={setStarted} />
  )
}

function StartEnrolment({ onStarted }: { onStarted: (started: StartedEnrolment) => void }) {
  const email = useSession(session => session.user?.email)
  const form = useForm({ resolver: zodResolver(ownPassword), defaultValues: { current_password: '' } })
  const { errors, isSubmitting } = form.formState
  const field = fieldOf(form, { clearOnEdit: true })
  const submit = submitWith(form, async body => {
    onStarted(await call(secondFactor.begin, { body }))
  })
  return (
    <form onSubmit={submit} noValidate>
      <FormLayout>
        <p className={styles.state}>
          <Badge>Not set up</Badge>
          <span>Only your password protects this account.</span>
        </p>
        <p>
          You need an app such as FreeOTP, Google Authenticator or 1Password on your phone. First, confirm
          your identity.
        </p>
        <input type="hidden" autoComplete="username" name="username" value={email ?? ''} />
        <div className={styles.password}>
          <PasswordInput
            label="Current password"
            autoComplete="current-password"
            {...field('current_password')}
          />
        </div>
        {errors.root?.server && <Alert tone="danger">{errors.root.server.message}</Alert>}
        <FormActions>
          <Button type="submit" variant="primary" busy={isSubmitting} busyLabel="Checking…">
            Set up authenticator app
          </Button>
        </FormActions>
      </FormLayout>
    </form>
  )
}

function ConfirmEnrolment({
  started,
  onConfirmed,
}: { started: StartedEnrolment } & Parameters<typeof Enrolment>[0]) {
  const { path, side } = useMemo(() => buildQrPath(started.otpauth_url), [started.otpauth_url])
  const form = useForm({ resolver: zodResolver(appCode), defaultValues: { code: '' } })
  const { errors, isSubmitting } = form.formState
  const field = fieldOf(form, { clearOnEdit: true })
  const submit = submitWith(form, async body => {
    onConfirmed((await call(secondFactor.confirm, { body })).recovery_codes)
  })
  return (
    <FormLayout>
      <p>Scan this with your app, then enter the six digits it shows.</p>
      <div className={styles.confirm}>
        <svg
          className={styles.qr}
          viewBox={`0 0 ${side} ${side}`}
          role="img"
          aria-label="QR code for your app"
        >
          <path d={path} />
        </svg>
        <form onSubmit={submit} noValidate>
          <FormLayout>
            <div className={styles.secret}>
              <span>
                <a href={started.otpauth_url}>Open it in an app on this device</a>, or enter:
              </span>
              <span className={styles.secretText}>
                <Code>{started.secret.replace(/(.{4})(?=.)/g, '$1 ')}</Code>
                <CopyButton text={started.secret} label="Copy secret" compact />
              </span>
            </div>
            <div className={styles.code}>
              <TextInput
                label="Code from your authenticator app"
                inputMode="numeric"
                autoComplete="one-time-code"
                mono
                {...field('code')}
              />
            </div>
            {errors.root?.server && <Alert tone="danger">{errors.root.server.message}</Alert>}
            <FormActions>
              <Button type="submit" variant="primary" busy={isSubmitting} busyLabel="Confirming…">
                Confirm code
              </Button>
            </FormActions>
          </FormLayout>
        </form>
      </div>
    </FormLayout>
  )
}
