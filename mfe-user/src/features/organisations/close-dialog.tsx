import { ifMatch } from '@portal/account-ui/conflict'
import { OwnPasswordForm } from '@portal/account-ui/own-password-form'
import { call } from '@portal/api/call'
import type { OwnOrganisation } from '@portal/contract/organisation-shapes'
import { Button } from '@portal/ui/button'
import { Dialog } from '@portal/ui/dialog'
import { showToast } from '@portal/ui/toast-store'
import { useId, useState } from 'react'
import { organisations } from '../../parts/organisation-endpoints.ts'
import { useRefreshOrganisations } from '../../parts/use-refresh-organisations.ts'

interface Props {
  organisation: OwnOrganisation
  onClose: () => void
}

/** Dialog that asks for the password before an organisation is closed. */
export function CloseDialog({ organisation, onClose }: Props) {
  const formId = useId()
  const [busy, setBusy] = useState(false)
  const refresh = useRefreshOrganisations()
  return (
    <Dialog
      open
      onClose={onClose}
      closable={!busy}
      title={`Close ${organisation.name}?`}
      description="Members can then only read its records. Only the institution can reopen it."
      footer={
        <>
          <Button onClick={onClose} disabled={busy}>
            Cancel
          </Button>
          <Button variant="danger" type="submit" form={formId} busy={busy} busyLabel="Closing…">
            Close Organisation
          </Button>
        </>
      }
    >
      <OwnPasswordForm
        id={formId}
        onBusy={setBusy}
        onSubmit={async body => {
          const request = { params: { id: organisation.id }, headers: ifMatch(organisation), body }
          const { message } = await call(organisations.close, request)
          showToast({ tone: 'success', message })
          onClose()
          await refresh()
        }}
      />
    </Dialog>
  )
}
