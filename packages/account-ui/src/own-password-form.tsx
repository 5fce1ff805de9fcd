import { zodResolver } from '@hookform/resolvers/zod'
import { ownPassword } from '@portal/contract/second-factor'
import { Alert } from '@portal/ui/alert'
import { FormLayout } from '@portal/ui/form-layout'
import { PasswordInput } from '@portal/ui/password-input'
import type { ReactNode } from 'react'
import { useForm } from 'react-hook-form'
import { fieldOf, submitWith } from './form-props.ts'

interface Props {
  id: string
  /** Help text that explains whose password is required, where that is not obvious. */
  help?: string
  /** If this promise rejects, the form shows the error. */
  onSubmit: (body: { current_password: string }) => Promise<void>
  onBusy: (busy: boolean) => void
  children?: ReactNode
}

/**
 * Asks for the account's password before an action that a stolen session alone must not allow. The submit button is outside the
 * form and refers to it with `form={id}`.
 */
export function OwnPasswordForm({ id, help, onSubmit, onBusy, children }: Props) {
  const form = useForm({ resolver: zodResolver(ownPassword), defaultValues: { current_password: '' } })
  const { errors } = form.formState
  const field = fieldOf(form, { clearOnEdit: true })
  const submit = submitWith(form, async body => {
    onBusy(true)
    try {
      await onSubmit(body)
    } finally {
      onBusy(false)
    }
  })
  return (
    <form id={id} onSubmit={submit} noValidate>
      <FormLayout>
        {children}
        <PasswordInput
          label="Current password"
          help={help}
          autoComplete="current-password"
          {...field('current_password')}
        />
        {errors.root?.server && <Alert tone="danger">{errors.root.server.message}</Alert>}
      </FormLayout>
    </form>
  )
}
