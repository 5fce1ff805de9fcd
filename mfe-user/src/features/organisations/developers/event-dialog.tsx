import { LoadFailure } from '@portal/account-ui/load-failure'
import { call } from '@portal/api/call'
import { messageOf } from '@portal/api/error'
import { q } from '@portal/api/query'
import type { OwnOrganisation } from '@portal/contract/organisation-shapes'
import type { WebhookDelivery, WebhookEvent } from '@portal/contract/organisation-webhooks'
import { formatDateTime } from '@portal/format/dates'
import { deliveryDisplay } from '@portal/format/developers'
import { formatCount } from '@portal/format/numbers'
import { Status } from '@portal/ui/badge'
import { Button } from '@portal/ui/button'
import { Dialog } from '@portal/ui/dialog'
import { EmptyState } from '@portal/ui/empty-state'
import { Skeleton } from '@portal/ui/skeleton'
import { showToast } from '@portal/ui/toast-store'
import { useMutation, useQuery } from '@tanstack/react-query'
import { Repeat, Send } from 'lucide-react'
import { events } from '../../../parts/developer-endpoints.ts'
import { inactiveReason } from '../frame.tsx'
import styles from '../organisations.module.css'
import developerStyles from './developers.module.css'
import { useRefreshWebhooks } from './use-refresh-webhooks.ts'

interface Props {
  organisation: OwnOrganisation
  eventId: string
  onClose: () => void
}

/** Dialog that shows an event: its content, and every delivery. */
export function EventDialog({ organisation, eventId, onClose }: Props) {
  const params = { id: organisation.id, evt: eventId }
  const refresh = useRefreshWebhooks()
  const query = useQuery({ ...q(events.read, { params }), staleTime: 0 })
  const redeliver = useMutation({
    mutationFn: (endpoint_id: string) => call(events.redeliver, { params, body: { endpoint_id } }),
    onSuccess: ({ message }) => showToast({ tone: 'success', message }),
    onError: error => showToast({ tone: 'danger', message: messageOf(error) }),
    onSettled: refresh,
  })
  const { data } = query
  return (
    <Dialog
      open
      size="lg"
      title={data?.event.type ?? 'Event'}
      description={eventId}
      onClose={onClose}
      footer={<Button onClick={onClose}>Close</Button>}
    >
      {data ? (
        <div className={styles.facts}>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable area must be reachable by keyboard */}
          <pre className={developerStyles.body} tabIndex={0}>
            {JSON.stringify(payloadOf(data.event), null, 2)}
          </pre>
          {data.deliveries.length === 0 ? (
            <EmptyState title="No deliveries" icon={Send}>
              No endpoint was set up for this event when it happened.
            </EmptyState>
          ) : (
            <ul className={developerStyles.deliveries} aria-label="Deliveries">
              {data.deliveries.map(delivery => (
                <Delivery
                  key={delivery.id}
                  delivery={delivery}
                  busy={redeliver.isPending && redeliver.variables === delivery.endpoint_id}
                  disabledReason={inactiveReason(organisation)}
                  onRedeliver={() => redeliver.mutate(delivery.endpoint_id)}
                />
              ))}
            </ul>
          )}
        </div>
      ) : query.isError ? (
        <LoadFailure title="The event could not be loaded" query={query} />
      ) : (
        <Skeleton size="facts" lines={6} />
      )}
    </Dialog>
  )
}

const payloadOf = ({ type, timestamp, livemode, data }: WebhookEvent) => ({ type, timestamp, livemode, data })

interface DeliveryProps {
  delivery: WebhookDelivery
  busy: boolean
  disabledReason: string | undefined
  onRedeliver: () => void
}

function Delivery({ delivery, busy, disabledReason, onRedeliver }: DeliveryProps) {
  const { url, status, attempt, http_status, duration_ms, error, response } = delivery
  const { last_attempt_at, next_attempt_at } = delivery
  return (
    <li className={developerStyles.delivery}>
      <div className={developerStyles.listHead}>
        <code className={developerStyles.url}>{url}</code>
        {status !== 'pending' && (
          <Button
            size="sm"
            icon={Repeat}
            busy={busy}
            busyLabel="Queueing…"
            disabledReason={disabledReason}
            aria-label={`Redeliver to ${url}`}
            onClick={onRedeliver}
          >
            Redeliver
          </Button>
        )}
      </div>
      <p>
        <Status status={deliveryDisplay(status)} variant="plain" />
        <span className={styles.second}>
          {attempt === 0
            ? 'Not attempted yet'
            : `${formatCount(attempt)} ${attempt === 1 ? 'attempt' : 'attempts'}`}
          {last_attempt_at && `, the last on ${formatDateTime(last_attempt_at)}`}
          {http_status !== null && `, HTTP ${http_status}`}
          {duration_ms !== null && ` in ${formatCount(duration_ms)} ms`}
          {status === 'pending' && next_attempt_at && `, the next on ${formatDateTime(next_attempt_at)}`}
        </span>
        {error && <span className={styles.second}>{error}</span>}
      </p>
      {response && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable area must be reachable by keyboard
        <pre className={developerStyles.body} tabIndex={0}>
          {response}
        </pre>
      )}
    </li>
  )
}
