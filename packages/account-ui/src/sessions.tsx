import { call } from '@portal/api/call'
import { endpoint } from '@portal/api/endpoint'
import { q, queryKey } from '@portal/api/query'
import type { OwnSession, ownSessions as routes } from '@portal/contract/own-sessions'
import { formatDateTime, formatRelativeTime } from '@portal/format/dates'
import { Badge } from '@portal/ui/badge'
import { Button } from '@portal/ui/button'
import { Dialog } from '@portal/ui/dialog'
import { FormLayout } from '@portal/ui/form-layout'
import { Panel } from '@portal/ui/panel'
import { Skeleton } from '@portal/ui/skeleton'
import { showToast } from '@portal/ui/toast-store'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { LoadFailure } from './load-failure.tsx'
import { OwnPasswordForm } from './own-password-form.tsx'
import styles from './sessions.module.css'

const ownSessions = {
  list: endpoint<typeof routes.list>('GET', '/account/sessions'),
  endOthers: endpoint<typeof routes.endOthers>('POST', '/account/sessions/end-others'),
}

/** A session; older versions of the API send neither the browser nor the time of last use. */
type Row = Pick<OwnSession, 'started_at' | 'expires_at' | 'current'> & Partial<OwnSession>

function SessionRow({ session }: { session: Row }) {
  const { browser, system, ip_address: address, current, started_at, expires_at, last_used_at } = session
  const client = [browser, system].filter(Boolean).join(' on ') || 'Unknown browser'
  return (
    <li>
      <span className={styles.words}>
        <span>
          <strong>{client}</strong>
          {address && (
            <>
              , from <bdi>{address}</bdi>
            </>
          )}
        </span>
        <span className={styles.times}>
          {last_used_at && !current && (
            <>
              Last used <time dateTime={last_used_at}>{formatRelativeTime(last_used_at)}</time>.{' '}
            </>
          )}
          Logged in <time dateTime={started_at}>{formatDateTime(started_at)}</time>, until{' '}
          <time dateTime={expires_at}>{formatDateTime(expires_at)}</time>
        </span>
      </span>
      {current && <Badge>This session</Badge>}
    </li>
  )
}

/** The account's active sessions, with a button that ends all others. */
export function Sessions({ className }: { className?: string }) {
  const queryClient = useQueryClient()
  const { data, error, isFetching, refetch } = useQuery(q(ownSessions.list))
  const [confirming, setConfirming] = useState(false)
  const [busy, setBusy] = useState(false)
  const formId = useId()
  const sessions = data?.sessions ?? []
  const close = () => setConfirming(false)
  return (
    <Panel title="Where you are logged in" className={className}>
      <FormLayout>
        {error && (
          <LoadFailure title="Your sessions could not be loaded" query={{ error, isFetching, refetch }} />
        )}
        {!data && !error && <Skeleton lines={2} />}
        {sessions.length > 0 && (
          <ul className={styles.sessions}>
            {sessions.map((session, index) => (
              // Two sessions can start in the same second, so the start time is not a unique key.
              // biome-ignore lint/suspicious/noArrayIndexKey: static rows
              <SessionRow key={index} session={session} />
            ))}
          </ul>
        )}
        {sessions.length > 1 && (
          <div>
            <Button onClick={() => setConfirming(true)}>Log out everywhere else…</Button>
          </div>
        )}
      </FormLayout>
      {confirming && (
        <Dialog
          open
          onClose={close}
          closable={!busy}
          title="Log out everywhere else?"
          size="sm"
          footer={
            <>
              <Button onClick={close} disabled={busy}>
                Cancel
              </Button>
              <Button variant="primary" type="submit" form={formId} busy={busy}>
                Log out elsewhere
              </Button>
            </>
          }
        >
          <OwnPasswordForm
            id={formId}
            onBusy={setBusy}
            onSubmit={async body => {
              const { message } = await call(ownSessions.endOthers, { body })
              close()
              showToast({ tone: 'success', message })
              await queryClient.invalidateQueries({ queryKey: queryKey(ownSessions.list) })
            }}
          />
        </Dialog>
      )}
    </Panel>
  )
}
