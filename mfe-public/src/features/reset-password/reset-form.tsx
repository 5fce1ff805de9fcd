import { call } from '@portal/api/call'
import { auth } from '@portal/contract/auth'
import { Button } from '@portal/ui/button'
import { FormLayout } from '@portal/ui/form-layout'
import { PasswordInput } from '@portal/ui/password-input'
import { useId } from 'react'
import { PasswordChecklist, SPECIAL_CHARACTER_ADVICE } from '../../parts/password-checklist.tsx'
import { useApiForm } from '../../parts/use-api-form.ts'
import { ResetFailure } from './reset-failure.tsx'
import { resetSchema } from './schema.ts'

interface Props {
  token: string
  /** True for an account without a password, whose owner chooses the first one. */
  isInvited: boolean
  /** Called when the form is sent. */
  onSubmit: () => void
  onDone: () => void
}

/** Form for the new password, entered twice, which shows which rules are met. A failure does not clear the form. */
export function ResetForm({ token, isInvited, onSubmit, onDone }: Props) {
  const checklistId = useId()
  const { form, bind, submit, busy, failure } = useApiForm({
    schema: resetSchema,
    defaults: { password: '', confirmPassword: '' },
    send: async ({ password }) => {
      onSubmit()
      await call(auth.resetPassword, { params: { token }, body: { password } })
      onDone()
    },
  })
  return (
    <form noValidate onSubmit={submit}>
      <FormLayout>
        <PasswordInput
          label="New Password"
          autoComplete="new-password"
          aria-describedby={checklistId}
          help={SPECIAL_CHARACTER_ADVICE}
          {...bind('password', 'confirmPassword')}
        />
        <PasswordChecklist id={checklistId} password={form.watch('password')} />
        <PasswordInput
          label="Confirm New Password"
          autoComplete="new-password"
          {...bind('confirmPassword')}
        />
        {failure && <ResetFailure error={failure} />}
        <Button
          type="submit"
          variant="primary"
          size="lg"
          block
          busy={busy}
          busyLabel={isInvited ? 'Setting your password…' : 'Resetting your password…'}
        >
          {isInvited ? 'Set Password' : 'Reset Password'}
        </Button>
      </FormLayout>
    </form>
  )
}
