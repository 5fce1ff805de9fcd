import { ListScreen } from '@portal/account-ui/list-screen'
import { call } from '@portal/api/call'
import { messageOf } from '@portal/api/error'
import { q } from '@portal/api/query'
import type { OwnOrganisation } from '@portal/contract/organisation-shapes'
import type { WebhookEndpoint } from '@portal/contract/organisation-webhooks'
import { Button } from '@portal/ui/button'
import { ConfirmDialog } from '@portal/ui/confirm-dialog'
import { showToast } from '@portal/ui/toast-store'
import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { useState } from 'react'
import { webhooks } from '../../../parts/developer-endpoints.ts'
import { inactiveReason } from '../frame.tsx'
import styles from '../organisations.module.css'
import { usePage } from '../use-page.ts'
import developerStyles from './developers.module.css'
import { EndpointDialog } from './endpoint-dialog.tsx'
import { type EndpointAction, EndpointTable } from './endpoint-table.tsx'
import { RedeliverDialog } from './redeliver-dialog.tsx'
import { SecretDialog } from './secret-dialog.tsx'
import { useRefreshWebhooks } from './use-refresh-webhooks.ts'

type OpenDialog = { action: EndpointAction | 'add'; endpoint?: WebhookEndpoint }

/** Section for webhook endpoints: addresses that receive events. */
export function Webhooks({ organisation }: { organisation: OwnOrganisation }) {
  const { id } = organisation
  const { page, onPage } = usePage()
  const refresh = useRefreshWebhooks()
  const [opened, setOpened] = useState<OpenDialog>()
  const [secret, setSecret] = useState<{ title: string; secret: string }>()
  const list = useQuery({
    ...q(webhooks.list, { params: { id }, query: { page, per_page: 20 } }),
    placeholderData: keepPreviousData,
  })
  const close = () => setOpened(undefined)
  const onSecret = (title: string, newSecret: string) => {
    close()
    setSecret({ title, secret: newSecret })
    void refresh()
  }
  const change = useEndpointAction({ organisationId: id, onSecret, onSettled: close })
  /** Starts an action on an endpoint. Destructive actions, and those that reveal a secret, are confirmed first. */
  const onAction = (action: EndpointAction, endpoint: WebhookEndpoint) =>
    action === 'ping' || action === 'enable'
      ? change.mutate({ action, endpoint })
      : setOpened({ action, endpoint })
  const disabledReason = inactiveReason(organisation)
  const { action, endpoint } = opened ?? {}
  const question =
    action === 'rotate' || action === 'disable' || action === 'delete' ? questions[action] : undefined
  return (
    <div className={styles.page}>
      <div className={developerStyles.listHead}>
        <p className={styles.muted}>
          The portal posts signed events to your addresses (Standard Webhooks). They contain IDs and statuses,
          but no names or grades.
        </p>
        <Button icon={Plus} disabledReason={disabledReason} onClick={() => setOpened({ action: 'add' })}>
          Add Endpoint
        </Button>
      </div>
      <ListScreen query={list} name="webhook endpoints" page={page} onPage={onPage} noun="endpoint">
        {loading => (
          <EndpointTable
            rows={list.data?.endpoints}
            loading={loading}
            canChange={disabledReason === undefined}
            onAction={onAction}
          />
        )}
      </ListScreen>
      {(action === 'add' || (action === 'edit' && endpoint)) && (
        <EndpointDialog
          organisationId={id}
          endpoint={endpoint}
          allowsPrivate={list.data?.allows_private ?? false}
          onCreated={created => onSecret('Endpoint Added', created)}
          onSaved={() => {
            close()
            void refresh()
          }}
          onClose={close}
        />
      )}
      {action === 'redeliver' && endpoint && (
        <RedeliverDialog organisationId={id} endpoint={endpoint} onClose={close} />
      )}
      {secret && (
        <SecretDialog
          title={secret.title}
          note="Copy this secret now. It will not be shown again."
          secret={secret.secret}
          copyLabel="Copy secret"
          onClose={() => setSecret(undefined)}
        >
          <p className={styles.muted}>
            Your receiver needs it to check the signature of every event. The{' '}
            <a href="/api/docs/first-call">guide</a> has a sample receiver.
          </p>
        </SecretDialog>
      )}
      <ConfirmDialog
        open={question !== undefined && endpoint !== undefined}
        title={question?.title ?? ''}
        confirmLabel={question?.confirm ?? ''}
        danger={action !== 'rotate'}
        busy={change.isPending}
        onConfirm={() => endpoint && action && action !== 'add' && change.mutate({ action, endpoint })}
        onCancel={close}
      >
        {question?.text}
        {endpoint && <span className={`${styles.second} ${developerStyles.url}`}>{endpoint.url}</span>}
      </ConfirmDialog>
    </div>
  )
}

interface ActionOptions {
  organisationId: string
  /** Called with a new secret, which is shown only once. */
  onSecret: (title: string, secret: string) => void
  onSettled: () => void
}

/** Returns the mutation that carries out an action on an endpoint and shows a toast with the result. */
function useEndpointAction({ organisationId, onSecret, onSettled }: ActionOptions) {
  const refresh = useRefreshWebhooks()
  return useMutation({
    mutationFn: async ({ action, endpoint }: { action: EndpointAction; endpoint: WebhookEndpoint }) => {
      const input = { params: { id: organisationId, whe: endpoint.id } }
      if (action === 'rotate') {
        const created = await call(webhooks.rotateSecret, input)
        onSecret('Secret Rotated', created.secret)
        return undefined
      }
      if (action === 'delete') return (await call(webhooks.remove, input)).message
      if (action === 'ping') return (await call(webhooks.ping, input)).message
      if (action === 'enable') return (await call(webhooks.enable, input)).message
      return (await call(webhooks.disable, input)).message
    },
    onSuccess: message => message && showToast({ tone: 'success', message }),
    onError: error => showToast({ tone: 'danger', message: messageOf(error) }),
    onSettled: () => {
      onSettled()
      return refresh()
    },
  })
}

const questions = {
  rotate: {
    title: 'Rotate the secret?',
    confirm: 'Rotate Secret',
    text: 'The new secret is shown once. For 24 hours, events are signed with the old one too.',
  },
  disable: {
    title: 'Disable this endpoint?',
    confirm: 'Disable Endpoint',
    text: 'Nothing is sent to it until you enable it again. Waiting deliveries are skipped; you can redeliver them later.',
  },
  delete: {
    title: 'Delete this endpoint?',
    confirm: 'Delete Endpoint',
    text: 'Waiting deliveries are skipped. This cannot be undone.',
  },
} as const
