import { ListScreen } from '@portal/account-ui/list-screen'
import { call } from '@portal/api/call'
import { messageOf } from '@portal/api/error'
import { q, queryKey } from '@portal/api/query'
import type { ApiKey } from '@portal/contract/organisation-keys'
import type { OwnOrganisation } from '@portal/contract/organisation-shapes'
import { Alert } from '@portal/ui/alert'
import { Button } from '@portal/ui/button'
import { ConfirmDialog } from '@portal/ui/confirm-dialog'
import { showToast } from '@portal/ui/toast-store'
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { useState } from 'react'
import { keys } from '../../../parts/developer-endpoints.ts'
import { inactiveReason } from '../frame.tsx'
import styles from '../organisations.module.css'
import { usePage } from '../use-page.ts'
import developerStyles from './developers.module.css'
import { type CreatedKey, KeyDialog, KeySecretDialog } from './key-dialog.tsx'
import { KeyTable } from './key-table.tsx'
import { RotateKeyDialog } from './rotate-key-dialog.tsx'

/** Section for API keys, where they are created, rotated and revoked. Secrets are shown once. */
export function Keys({ organisation }: { organisation: OwnOrganisation }) {
  const { id } = organisation
  const { page, onPage } = usePage()
  const client = useQueryClient()
  const [creating, setCreating] = useState(false)
  const [rotating, setRotating] = useState<ApiKey>()
  const [revoking, setRevoking] = useState<ApiKey>()
  const [created, setCreated] = useState<CreatedKey>()
  const list = useQuery({
    ...q(keys.list, { params: { id }, query: { page, per_page: 20 } }),
    placeholderData: keepPreviousData,
  })
  const refresh = () => client.invalidateQueries({ queryKey: queryKey(keys.list) })
  const revoke = useMutation({
    mutationFn: (key: ApiKey) => call(keys.revoke, { params: { id, key: key.id } }),
    onSuccess: ({ message }) => showToast({ tone: 'success', message }),
    onError: error => showToast({ tone: 'danger', message: messageOf(error) }),
    onSettled: () => {
      setRevoking(undefined)
      return refresh()
    },
  })
  const onCreated = (key: CreatedKey) => {
    setCreating(false)
    setRotating(undefined)
    setCreated(key)
    void refresh()
  }
  const disabledReason = inactiveReason(organisation)
  return (
    <div className={styles.page}>
      {organisation.vetted_at === null && organisation.state === 'active' && (
        <Alert
          tone="info"
          silent
          title="Live API keys are available once the institution has vetted your organisation."
        >
          Until then, build and test with a test key: it reads nothing from the register and costs nothing.
        </Alert>
      )}
      <div className={developerStyles.listHead}>
        <p className={styles.muted}>
          A key acts for the whole organisation. Keep it on your server; never put it into a web page or app.
        </p>
        <Button icon={Plus} disabledReason={disabledReason} onClick={() => setCreating(true)}>
          Create API Key
        </Button>
      </div>
      <ListScreen query={list} name="API keys" page={page} onPage={onPage} noun={['key', 'keys']}>
        {loading => (
          <KeyTable
            rows={list.data?.keys}
            loading={loading}
            disabledReason={disabledReason}
            onRotate={setRotating}
            onRevoke={setRevoking}
          />
        )}
      </ListScreen>
      {creating && (
        <KeyDialog organisation={organisation} onCreated={onCreated} onClose={() => setCreating(false)} />
      )}
      {rotating && (
        <RotateKeyDialog
          organisationId={id}
          apiKey={rotating}
          onCreated={onCreated}
          onClose={() => setRotating(undefined)}
        />
      )}
      {created && <KeySecretDialog created={created} onClose={() => setCreated(undefined)} />}
      <ConfirmDialog
        open={revoking !== undefined}
        title={`Revoke ${revoking?.name}?`}
        confirmLabel="Revoke Key"
        busy={revoke.isPending}
        onConfirm={() => revoking && revoke.mutate(revoking)}
        onCancel={() => setRevoking(undefined)}
      >
        Calls with this key are refused immediately. This cannot be undone.
      </ConfirmDialog>
    </div>
  )
}
