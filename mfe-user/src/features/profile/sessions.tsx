import { zodResolver } from '@hookform/resolvers/zod'
import { call } from '@portal/api/call'
import { messageOf, referenceOf } from '@portal/api/error'
import { q, queryKey } from '@portal/api/query'
import { ownSessions } from '@portal/contract/own-sessions'
import { ownPassword } from '@portal/contract/second-factor'
import { formatDateTime } from '@portal/format/dates'
import { Alert } from '@portal/ui/alert'
import { Badge } from '@portal/ui/badge'
import { Button } from '@portal/ui/button'
import { Dialog } from '@portal/ui/dialog'
import { FormLayout } from '@portal/ui/form-layout'
import { Panel } from '@portal/ui/panel'
import { PasswordInput } from '@portal/ui/password-input'
import { showToast } from '@portal/ui/toast-store'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { useForm } from 'react-hook-form'
import styles from './page.module.css'
import { failureOf } from './server-errors.ts'

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
      <ul className={styles.sessions}>
        {sessions.map(({ started_at, expires_at, current }) => (
          <li key={`${started_at} ${expires_at}`}>
            Since <time dateTime={started_at}>{formatDateTime(started_at)}</time>, until{' '}
            <time dateTime={expires_at}>{formatDateTime(expires_at)}</time>{' '}
            {current && <Badge>This one</Badge>}
          </li>
        ))}
      </ul>
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
  const form = useForm({ resolver: zodResolver(ownPassword), defaultValues: { current_password: '' } })
  const { errors, isSubmitting } = form.formState
  const submit = form.handleSubmit(async body => {
    try {
      onEnded((await call(ownSessions.endOthers, { body })).message)
    } catch (error) {
      const { fields, message } = failureOf(error, ['current_password'])
      if (fields.current_password)
        form.setError('current_password', { message: fields.current_password }, { shouldFocus: true })
      if (message) form.setError('root.server', { message })
    }
  })
  return (
    <Dialog
      open
      onClose={onClose}
      closable={!isSubmitting}
      title="Log out everywhere else?"
      size="sm"
      footer={
        <>
          <Button onClick={onClose} disabled={isSubmitting}>
            Cancel
          </Button>
          <Button variant="primary" type="submit" form={formId} busy={isSubmitting}>
            Log out elsewhere
          </Button>
        </>
      }
    >
      <form id={formId} onSubmit={submit} noValidate>
        <FormLayout>
          <PasswordInput
            label="Current password"
            autoComplete="current-password"
            {...form.register('current_password', { onChange: () => form.clearErrors() })}
            error={errors.current_password?.message}
          />
          {errors.root?.server && <Alert tone="danger">{errors.root.server.message}</Alert>}
        </FormLayout>
      </form>
    </Dialog>
  )
}
