import { call } from '@portal/api/call'
import { messageOf, referenceOf } from '@portal/api/error'
import { q, queryKey } from '@portal/api/query'
import { ownSessions } from '@portal/contract/own-sessions'
import { formatDateTime } from '@portal/format/dates'
import { Alert } from '@portal/ui/alert'
import { Badge } from '@portal/ui/badge'
import { Button } from '@portal/ui/button'
import { Dialog } from '@portal/ui/dialog'
import { Panel } from '@portal/ui/panel'
import { Skeleton } from '@portal/ui/skeleton'
import { showToast } from '@portal/ui/toast-store'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { OwnPasswordForm } from './own-password-form.tsx'
import styles from './page.module.css'

/** Where the account is logged in, and the way to end all of it but this. */
export function Sessions() {
  const queries = useQueryClient()
  const { data, error } = useQuery(q(ownSessions.list))
  const [asking, setAsking] = useState(false)
  const sessions = data?.sessions ?? []
  return (
    <Panel title="Where you are logged in" className={`${styles.form} ${styles.after}`}>
      {error && (
        <Alert tone="danger" reference={referenceOf(error)}>
          {messageOf(error)}
        </Alert>
      )}
      {!data && !error && <Skeleton lines={2} />}
      {data && (
        <ul className={styles.sessions}>
          {sessions.map(({ started_at, expires_at, current }) => (
            <li key={`${started_at} ${expires_at}`}>
              <span>
                Since <time dateTime={started_at}>{formatDateTime(started_at)}</time>, until{' '}
                <time dateTime={expires_at}>{formatDateTime(expires_at)}</time>
              </span>{' '}
              {current && <Badge>This one</Badge>}
            </li>
          ))}
        </ul>
      )}
      {sessions.length > 1 && <Button onClick={() => setAsking(true)}>Log out everywhere else…</Button>}
      {asking && (
        <EndOthersDialog
          onClose={() => setAsking(false)}
          onEnded={message => {
            setAsking(false)
            showToast({ tone: 'success', message })
            void queries.invalidateQueries({ queryKey: queryKey(ownSessions.list) })
          }}
        />
      )}
    </Panel>
  )
}

function EndOthersDialog({ onClose, onEnded }: { onClose: () => void; onEnded: (message: string) => void }) {
  const formId = useId()
  const [busy, setBusy] = useState(false)
  return (
    <Dialog
      open
      onClose={onClose}
      closable={!busy}
      title="Log out everywhere else?"
      size="sm"
      footer={
        <>
          <Button onClick={onClose} disabled={busy}>
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
        onSubmit={async body => onEnded((await call(ownSessions.endOthers, { body })).message)}
      />
    </Dialog>
  )
}
