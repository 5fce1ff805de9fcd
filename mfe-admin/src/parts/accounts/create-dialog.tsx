import { zodResolver } from '@hookform/resolvers/zod'
import { FormDialog } from '@portal/account-ui/form-dialog'
import { fieldOf, stateOf, submitWith } from '@portal/account-ui/form-props'
import { passwordRules } from '@portal/contract/fields'
import type { Role } from '@portal/contract/shapes'
import { useDraft } from '@portal/drafts/use-draft'
import { Checkbox } from '@portal/ui/checkbox'
import { Checklist } from '@portal/ui/checklist'
import { FormRow } from '@portal/ui/form-layout'
import { PasswordInput } from '@portal/ui/password-input'
import { Select } from '@portal/ui/select'
import { TextArea } from '@portal/ui/text-area'
import { TextInput } from '@portal/ui/text-input'
import { useId } from 'react'
import { useForm } from 'react-hook-form'
import { accountDrafts } from '../draft-forms.ts'
import { type CreateBody, type CreateForm, createSchema, makeBlankForm } from './account-forms.ts'
import { roleOptions } from './allowed-actions.ts'

export interface CreateDialogProps {
  /** The dialog title and the label of the submit button, such as 'Add User'. */
  title: string
  /** The roles to choose from, of which the first is preselected; if there is no choice, the role is user. */
  roles: readonly Role[]
  /** The account list to which the draft belongs, such as `user`. */
  draftList: string
  /** Rejects with the error that the form shows. */
  onSave: (body: CreateBody) => Promise<void>
  onClose: () => void
}

/** Form for a new account. The account's owner confirms the email address before the first login. */
export function CreateDialog({ draftList, title, roles, onSave, onClose }: CreateDialogProps) {
  const checklistId = useId()
  const form = useForm<CreateForm, unknown, CreateBody>({
    resolver: zodResolver(createSchema),
    defaultValues: makeBlankForm(roles[0] ?? 'user'),
  })
  const draft = useDraft(form, { ...accountDrafts(draftList), label: title })
  const field = fieldOf(form)
  const password = form.watch('password') ?? ''
  const isInvitation = form.watch('invite') ?? false
  return (
    <FormDialog
      title={title}
      description={
        isInvitation
          ? 'We’ll email them a link for choosing a password. It works once and expires after 3 days.'
          : 'We’ll email a verification link. We don’t email the password; share it with them yourself.'
      }
      submitLabel={title}
      busyLabel="Saving…"
      size="lg"
      draft={draft}
      draftHint="Passwords are not saved: choose one again."
      {...stateOf(form)}
      onSubmit={submitWith(form, body => onSave(body).then(draft.remove))}
      onClose={onClose}
    >
      <FormRow>
        <TextInput label="First name" {...field('firstname')} autoComplete="off" spellCheck={false} />
        <TextInput
          label="Middle name"
          {...field('middlename')}
          optional
          autoComplete="off"
          spellCheck={false}
        />
        <TextInput label="Last name" {...field('lastname')} autoComplete="off" spellCheck={false} />
      </FormRow>
      <TextInput label="Email" {...field('email')} type="email" inputMode="email" autoComplete="off" />
      <Checkbox
        label="Send an invitation link"
        help="They choose the password themselves."
        {...form.register('invite')}
      />
      {!isInvitation && (
        <>
          <PasswordInput
            label="Password"
            {...field('password')}
            autoComplete="new-password"
            aria-describedby={checklistId}
          />
          <Checklist
            id={checklistId}
            label="Password requirements"
            items={passwordRules.map(rule => ({ label: rule.label, done: rule.isMet(password) }))}
          />
        </>
      )}
      <FormRow>
        {roles.length > 0 && <Select label="Role" {...field('role')} options={roleOptions(roles)} />}
        <TextInput
          label="Phone number"
          {...field('phone')}
          optional
          type="tel"
          inputMode="tel"
          autoComplete="off"
          help="Nigerian or international, e.g. 0803 123 4567."
        />
      </FormRow>
      <TextArea
        label="Address"
        {...field('address')}
        optional
        rows={2}
        autoComplete="off"
        help="Company name, address line 1, line 2, city, state, country."
      />
    </FormDialog>
  )
}
