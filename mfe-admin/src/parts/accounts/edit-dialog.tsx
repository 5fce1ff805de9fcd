import { zodResolver } from '@hookform/resolvers/zod'
import { FormDialog } from '@portal/account-ui/form-dialog'
import { fieldOf, stateOf } from '@portal/account-ui/form-props'
import { useConflict } from '@portal/account-ui/use-conflict'
import type { AdminUser } from '@portal/contract/admin-users'
import { useDraft } from '@portal/drafts/use-draft'
import { formatShortDate } from '@portal/format/dates'
import { fullName } from '@portal/format/text'
import { Button } from '@portal/ui/button'
import { FormRow } from '@portal/ui/form-layout'
import { Select } from '@portal/ui/select'
import { TextArea } from '@portal/ui/text-area'
import { TextInput } from '@portal/ui/text-input'
import { useForm } from 'react-hook-form'
import { accountDrafts } from '../draft-forms.ts'
import { type EditBody, type EditForm, editSchema, toEditForm } from './account-forms.ts'
import styles from './accounts.module.css'
import { allRoles, roleOptions } from './allowed-actions.ts'
import { fetchTheirs } from './use-accounts.ts'

export interface EditDialogProps {
  account: AdminUser
  /** True if the role can be changed, which super admins can do for other accounts. */
  canChangeRole: boolean
  /** Opens the personal data dialog; super admins only. */
  onPersonalData?: (() => void) | undefined
  /** The account list to which the draft belongs, such as `user`. */
  draftList: string
  /** Rejects with the error that the form shows. */
  onSave: (account: AdminUser, body: EditBody) => Promise<void>
  onClose: () => void
}

/** Form that edits an account. */
export function EditDialog({
  draftList,
  account,
  canChangeRole,
  onPersonalData,
  onSave,
  onClose,
}: EditDialogProps) {
  const form = useForm<EditForm, unknown, EditBody>({
    resolver: zodResolver(editSchema),
    defaultValues: toEditForm(account, canChangeRole),
  })
  const draft = useDraft(form, {
    ...accountDrafts(draftList),
    recordId: account.id,
    label: `Edit User ${fullName(account)}`,
    searchText: account.email,
  })
  const { isDirty, isSubmitting } = form.formState
  const field = fieldOf(form)
  const { save, conflict } = useConflict({
    form,
    record: account,
    valuesOf: (stored: AdminUser) => toEditForm(stored, canChangeRole),
    fetchTheirs: () => fetchTheirs(account.id),
    send: async (body, edited = account) => {
      await onSave(edited, body)
      draft.remove()
      return undefined
    },
  })
  return (
    <FormDialog
      title="Edit User"
      description={account.created_at && `Joined on ${formatShortDate(account.created_at)}.`}
      submitLabel="Save changes"
      busyLabel="Saving…"
      draft={draft}
      {...stateOf(form)}
      onSubmit={form.handleSubmit(async body => {
        await save(body)
      })}
      onClose={onClose}
    >
      {conflict}
      <FormRow>
        <TextInput label="First name" {...field('firstname')} autoComplete="off" spellCheck={false} />
        <TextInput label="Last name" {...field('lastname')} autoComplete="off" spellCheck={false} />
      </FormRow>
      <TextInput
        label="Email"
        {...field('email')}
        type="email"
        inputMode="email"
        autoComplete="off"
        help="A new address must be verified again: we’ll email a link and end the other sessions."
      />
      <TextInput
        label="Phone number"
        {...field('phone')}
        optional
        type="tel"
        inputMode="tel"
        autoComplete="off"
      />
      <TextArea
        label="Address"
        {...field('address')}
        optional
        rows={2}
        autoComplete="off"
        help="Company name, address line 1, line 2, city, state, country."
      />
      {canChangeRole && <Select label="Role" {...field('role')} options={roleOptions(allRoles)} />}
      {onPersonalData && (
        <Button
          variant="quiet"
          className={styles.leading}
          onClick={onPersonalData}
          disabled={isDirty || isSubmitting}
        >
          Personal data…
        </Button>
      )}
    </FormDialog>
  )
}
