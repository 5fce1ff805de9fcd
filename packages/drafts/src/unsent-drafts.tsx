import { messageOf } from '@portal/api/error'
import { formatDateTime } from '@portal/format/dates'
import { useSession } from '@portal/session/store'
import { Alert } from '@portal/ui/alert'
import { Button } from '@portal/ui/button'
import { classNames } from '@portal/ui/class-names'
import { useEffect, useState } from 'react'
import { dropDraft, type ListedDraft, listDrafts, onDraftsChanged } from './store.ts'
import styles from './unsent-drafts.module.css'

interface Props {
  form: string
  version: number
  /** Opens the form with the draft; rejects with the reason if it cannot be opened. */
  onContinue: (draft: ListedDraft) => Promise<void> | void
  /** Adds a margin below, for use above an element without a margin of its own. */
  hasMargin?: boolean
}

/**
 * Alerts about unsent drafts, shown above a list whose forms open in dialogs. Each has buttons to continue or discard the
 * draft.
 */
export function UnsentDrafts({ form, version, onContinue, hasMargin }: Props) {
  const account = useSession(({ user }) => user?.id)
  const [, rerender] = useState({})
  useEffect(() => onDraftsChanged(() => rerender({})), [])
  if (account === undefined) return null
  const drafts = listDrafts({ account, form }, version)
  if (drafts.length === 0) return null
  return (
    <div className={classNames(styles.list, hasMargin && styles.apart)}>
      {drafts.map(draft => (
        <UnsentDraft
          key={draft.recordId}
          draft={draft}
          onContinue={onContinue}
          onDiscard={() => dropDraft({ account, form, recordId: draft.recordId })}
        />
      ))}
    </div>
  )
}

interface UnsentDraftProps extends Pick<Props, 'onContinue'> {
  draft: ListedDraft
  onDiscard: () => void
}

function UnsentDraft({ draft, onContinue, onDiscard }: UnsentDraftProps) {
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<string>()
  async function open() {
    setBusy(true)
    setFailure(undefined)
    try {
      await onContinue(draft)
    } catch (error) {
      setFailure(messageOf(error))
    } finally {
      setBusy(false)
    }
  }
  return (
    <Alert
      tone={failure === undefined ? 'info' : 'danger'}
      title={`Unsaved draft: ${draft.label}`}
      actions={
        <>
          <Button size="sm" busy={busy} onClick={open}>
            Continue
          </Button>
          <Button size="sm" variant="quiet" onClick={onDiscard}>
            Discard draft
          </Button>
        </>
      }
    >
      {failure ?? `From ${formatDateTime(draft.at)}. Not saved yet.`}
    </Alert>
  )
}
