import { zodResolver } from '@hookform/resolvers/zod'
import { showFieldErrors } from '@portal/account-ui/form-errors'
import { fieldOf } from '@portal/account-ui/form-props'
import { call } from '@portal/api/call'
import { messageOf } from '@portal/api/error'
import { auth } from '@portal/contract/auth'
import { passwordRules } from '@portal/contract/fields'
import { useSession } from '@portal/session/store'
import { Alert } from '@portal/ui/alert'
import { Button } from '@portal/ui/button'
import { Checklist } from '@portal/ui/checklist'
import { FormActions, FormLayout } from '@portal/ui/form-layout'
import { Panel } from '@portal/ui/panel'
import { PasswordInput } from '@portal/ui/password-input'
import { useForm, useWatch } from 'react-hook-form'
import styles from './page.module.css'
import { type PasswordValues, passwordForm } from './password-schema.ts'
import { useFormMessage } from './use-form-message.ts'

const empty: PasswordValues = { current_password: '', new_password: '', confirm_password: '' }
const RULES_ID = 'password-rules'

/** Form that changes the password. Every other session of the account ends; this one continues. */
export function PasswordForm() {
  const email = useSession(session => session.user?.email)
  const { message, showSuccess, showFailure, clear } = useFormMessage()
  const form = useForm<PasswordValues>({
    resolver: zodResolver(passwordForm),
    defaultValues: empty,
    reValidateMode: 'onSubmit',
  })
  const { isSubmitting } = form.formState
  const typed = useWatch({ control: form.control, name: 'new_password' })

  const submit = form.handleSubmit(async ({ current_password, new_password }) => {
    clear()
    try {
      await call(auth.changePassword, { body: { current_password, new_password } })
      form.reset(empty)
      showSuccess('Password changed successfully!')
    } catch (error) {
      if (!showFieldErrors(form, error)) showFailure(messageOf(error))
    }
  })

  const field = fieldOf(form, { clearOnEdit: true })

  return (
    <Panel className={styles.form}>
      <form onSubmit={submit} noValidate>
        <FormLayout>
          {message && (
            <Alert tone={message.tone} onDismiss={clear}>
              {message.text}
            </Alert>
          )}
          {/* Tells password managers to which account the password belongs. */}
          <input type="hidden" autoComplete="username" name="username" value={email ?? ''} />
          <PasswordInput
            label="Current password"
            autoComplete="current-password"
            {...field('current_password')}
          />
          <PasswordInput
            label="New password"
            autoComplete="new-password"
            help="A special character such as ! or # makes it stronger."
            aria-describedby={RULES_ID}
            {...field('new_password')}
          />
          <Checklist
            id={RULES_ID}
            label="Password requirements"
            items={passwordRules.map(rule => ({ label: rule.label, done: rule.isMet(typed) }))}
          />
          <PasswordInput
            label="Confirm new password"
            autoComplete="new-password"
            {...field('confirm_password')}
          />
          <FormActions>
            <Button type="submit" variant="primary" busy={isSubmitting} busyLabel="Changing…">
              Change Password
            </Button>
          </FormActions>
        </FormLayout>
      </form>
    </Panel>
  )
}
