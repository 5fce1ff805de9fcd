import { call } from '@portal/api/call'
import { endpoint } from '@portal/api/endpoint'
import { q, queryKey } from '@portal/api/query'
import type { ownSessions as routes } from '@portal/contract/own-sessions'
import { formatDateTime } from '@portal/format/dates'
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

/** The account's active sessions, with a button that ends all others. */
export function Sessions({ className }: { className?: string }) {
  const queries = useQueryClient()
  const { data, error, isFetching, refetch } = useQuery(q(ownSessions.list))
  const [asking, setAsking] = useState(false)
  const [busy, setBusy] = useState(false)
  const formId = useId()
  const sessions = data?.sessions ?? []
  const close = () => setAsking(false)
  return (
    <Panel title="Where you are logged in" className={className}>
      <FormLayout>
        {error && (
          <LoadFailure title="Your sessions could not be loaded" query={{ error, isFetching, refetch }} />
        )}
        {!data && !error && <Skeleton lines={2} />}
        {sessions.length > 0 && (
          <ul className={styles.sessions}>
            {sessions.map(({ started_at, expires_at, current }) => (
              <li key={`${started_at} ${expires_at}`}>
                <span>
                  Since <time dateTime={started_at}>{formatDateTime(started_at)}</time>, until{' '}
                  <time dateTime={expires_at}>{formatDateTime(expires_at)}</time>
                </span>{' '}
                {current && <Badge>This session</Badge>}
              </li>
            ))}
          </ul>
        )}
        {sessions.length > 1 && (
          <div>
            <Button onClick={() => setAsking(true)}>Log out everywhere else…</Button>
          </div>
        )}
      </FormLayout>
      {asking && (
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
              await queries.invalidateQueries({ queryKey: queryKey(ownSessions.list) })
            }}
          />
        </Dialog>
      )}
    </Panel>
  )
}
