import { zodResolver } from '@hookform/resolvers/zod'
import { call } from '@portal/api/call'
import { ERASURE_GRACE_DAYS, type ErasureState, ownAccountData } from '@portal/contract/account-data'
import { ownPassword } from '@portal/contract/second-factor'
import { Alert } from '@portal/ui/alert'
import { Button } from '@portal/ui/button'
import { Dialog } from '@portal/ui/dialog'
import { FormLayout } from '@portal/ui/form-layout'
import { PasswordInput } from '@portal/ui/password-input'
import { useId } from 'react'
import { useForm } from 'react-hook-form'
import styles from './page.module.css'
import { failureOf } from './server-errors.ts'

interface Props {
  onAsked: (state: ErasureState) => void
  onClose: () => void
}

/** Says what goes and what stays, and asks for the password. */
export function EraseDialog({ onAsked, onClose }: Props) {
  const formId = useId()
  const form = useForm({ resolver: zodResolver(ownPassword), defaultValues: { current_password: '' } })
  const { errors, isSubmitting } = form.formState
  const submit = form.handleSubmit(async body => {
    try {
      onAsked(await call(ownAccountData.requestErasure, { body }))
    } catch (error) {
      const { fields, message } = failureOf(error, ['current_password'])
      if (fields.current_password)
        form.setError('current_password', { message: fields.current_password }, { shouldFocus: true })
      if (message) form.setError('root.server', { message })
    }
  })
  return (
    <Dialog
      open
      onClose={onClose}
      closable={!isSubmitting}
      title="Erase your account?"
      footer={
        <>
          <Button onClick={onClose} disabled={isSubmitting}>
            Cancel
          </Button>
          <Button variant="danger" type="submit" form={formId} busy={isSubmitting} busyLabel="Asking…">
            Erase in {ERASURE_GRACE_DAYS} days
          </Button>
        </>
      }
    >
      <form id={formId} onSubmit={submit} noValidate>
        <FormLayout>
          <ul className={styles.consequences}>
            <li>
              For {ERASURE_GRACE_DAYS} days nothing changes, and you can take it back. A mail tells you the
              day.
            </li>
            <li>After that you can no longer log in, and your history and letters are out of your reach.</li>
            <li>Letters that you passed on stay valid, but no longer name you as their addressee.</li>
            <li>What was paid stays in our books, without your name.</li>
          </ul>
          <PasswordInput
            label="Current password"
            autoComplete="current-password"
            {...form.register('current_password', { onChange: () => form.clearErrors() })}
            error={errors.current_password?.message}
          />
          {errors.root?.server && <Alert tone="danger">{errors.root.server.message}</Alert>}
        </FormLayout>
      </form>
    </Dialog>
  )
}
