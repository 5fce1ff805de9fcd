import { zodResolver } from '@hookform/resolvers/zod'
import { fieldOf, submitWith } from '@portal/account-ui/form-props'
import { call } from '@portal/api/call'
import { anyCode, appCode, ownPassword } from '@portal/contract/second-factor'
import { Alert } from '@portal/ui/alert'
import { Badge } from '@portal/ui/badge'
import { Button } from '@portal/ui/button'
import { Dialog } from '@portal/ui/dialog'
import { FormActions, FormLayout } from '@portal/ui/form-layout'
import { PasswordInput } from '@portal/ui/password-input'
import { TextInput } from '@portal/ui/text-input'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { secondFactor } from '../../parts/endpoints.ts'
import styles from './security.module.css'

/** With fewer recovery codes than this, the page suggests new ones. */
const MIN_RECOVERY_CODES = 3

interface Props {
  codesLeft: number
  onCodes: (codes: readonly string[]) => void
  onRemoved: () => void
}

/** Status of an authenticator app: recovery codes left, new codes, and removal. */
export function EnrolledApp({ codesLeft, onCodes, onRemoved }: Props) {
  const [confirming, setConfirming] = useState<'codes' | 'remove'>()
  return (
    <FormLayout>
      <p className={styles.state}>
        <Badge tone="success">Set up</Badge>
        <span>You need a code from your app each time you log in.</span>
      </p>
      <p className={styles.left}>
        {codesLeft === 1 ? '1 recovery code is' : `${codesLeft} recovery codes are`} left
        {codesLeft < MIN_RECOVERY_CODES ? '. Please create new ones.' : '.'}
      </p>
      <FormActions>
        <Button onClick={() => setConfirming('codes')}>New recovery codes</Button>
        <Button variant="quiet" onClick={() => setConfirming('remove')} className={styles.remove}>
          Remove app
        </Button>
      </FormActions>
      {confirming === 'codes' && (
        <RenewCodesDialog onClose={() => setConfirming(undefined)} onCodes={onCodes} />
      )}
      {confirming === 'remove' && (
        <RemoveAppDialog onClose={() => setConfirming(undefined)} onRemoved={onRemoved} />
      )}
    </FormLayout>
  )
}

function RenewCodesDialog({ onClose, onCodes }: { onClose: () => void } & Pick<Props, 'onCodes'>) {
  const form = useForm({ resolver: zodResolver(appCode), defaultValues: { code: '' } })
  const { errors, isSubmitting } = form.formState
  const field = fieldOf(form, { clearOnEdit: true })
  const submit = submitWith(form, async body => {
    const { recovery_codes } = await call(secondFactor.renewCodes, { body })
    onClose()
    onCodes(recovery_codes)
  })
  return (
    <Dialog
      open
      onClose={onClose}
      title="New recovery codes"
      description="The old ones stop working."
      size="sm"
    >
      <form onSubmit={submit} noValidate>
        <FormLayout>
          <CodeInput {...field('code')} />
          {errors.root?.server && <Alert tone="danger">{errors.root.server.message}</Alert>}
          <Button type="submit" variant="primary" block busy={isSubmitting} busyLabel="Creating…">
            Create new codes
          </Button>
        </FormLayout>
      </form>
    </Dialog>
  )
}

const removalSchema = ownPassword.extend(anyCode.shape)

function RemoveAppDialog({ onClose, onRemoved }: { onClose: () => void } & Pick<Props, 'onRemoved'>) {
  const form = useForm({
    resolver: zodResolver(removalSchema),
    defaultValues: { current_password: '', code: '' },
  })
  const { errors, isSubmitting } = form.formState
  const field = fieldOf(form, { clearOnEdit: true })
  const submit = submitWith(form, async body => {
    await call(secondFactor.remove, { body })
    onClose()
    onRemoved()
  })
  return (
    <Dialog
      open
      onClose={onClose}
      title="Remove the authenticator app?"
      description="Only your password will protect this account."
      size="sm"
    >
      <form onSubmit={submit} noValidate>
        <FormLayout>
          <PasswordInput
            label="Current password"
            autoComplete="current-password"
            {...field('current_password')}
          />
          <CodeInput
            inputMode="text"
            help="Without the app, enter one of your recovery codes."
            {...field('code')}
          />
          {errors.root?.server && <Alert tone="danger">{errors.root.server.message}</Alert>}
          <Button type="submit" variant="danger" block busy={isSubmitting} busyLabel="Removing…">
            Remove app
          </Button>
        </FormLayout>
      </form>
    </Dialog>
  )
}

function CodeInput(props: Omit<Parameters<typeof TextInput>[0], 'label'>) {
  return (
    <TextInput
      label="Code from your authenticator app"
      inputMode="numeric"
      autoComplete="one-time-code"
      mono
      {...props}
    />
  )
}
