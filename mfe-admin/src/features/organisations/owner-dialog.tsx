import { FormDialog } from '@portal/account-ui/form-dialog'
import { call } from '@portal/api/call'
import { messageOf } from '@portal/api/error'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { AccountPicker } from '../../parts/accounts/account-picker.tsx'
import { organisations } from '../../parts/organisation-endpoints.ts'
import type { DialogProps } from './dialog-props.ts'
import { useFinishChange } from './use-organisation.ts'

/** Dialog that makes an account an owner, for example after the last owner has left the company. */
export default function OwnerDialog({ organisation, onClose }: DialogProps) {
  const [userId, setUserId] = useState('')
  const finish = useFinishChange(onClose)
  const appoint = useMutation({
    mutationFn: () =>
      call(organisations.appointOwner, { params: { id: organisation.id }, body: { user_id: userId } }),
    onSuccess: finish,
  })
  return (
    <FormDialog
      title="Appoint an Owner"
      description="The account gets full rights in the organisation. Existing owners keep theirs."
      submitLabel="Appoint"
      busyLabel="Appointing…"
      isDirty={userId !== ''}
      isSubmitting={appoint.isPending}
      failure={appoint.error ? messageOf(appoint.error) : undefined}
      onSubmit={event => {
        event.preventDefault()
        appoint.mutate()
      }}
      onClose={onClose}
    >
      <AccountPicker
        label="Account"
        placeholder="Name or email"
        roles="user"
        value={userId}
        onChange={setUserId}
      />
    </FormDialog>
  )
}
