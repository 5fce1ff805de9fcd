import { formatDateTime } from '@portal/format/dates'
import { Alert } from '@portal/ui/alert'
import { Button } from '@portal/ui/button'
import type { DraftState } from './use-draft.ts'

interface Props {
  draft: DraftState
  /** Names the fields to enter again, e.g. 'Type the password again.' */
  hint?: string | undefined
}

/** Notice above a form's fields: a draft was restored and can be discarded, or a newer draft can be restored. */
export function DraftNote({ draft, hint }: Props) {
  const { at, restored, changed } = draft
  if (at === undefined) return null
  return (
    <Alert
      tone={changed.length > 0 ? 'warning' : 'info'}
      actions={
        <>
          {!restored && (
            <Button size="sm" onClick={draft.restore}>
              Restore
            </Button>
          )}
          <Button size="sm" onClick={draft.discard}>
            Discard draft
          </Button>
        </>
      }
    >
      {restored ? (
        <p>
          Your changes from {formatDateTime(at)} were restored. They are not saved yet. {hint}
        </p>
      ) : (
        <p>There is an unsaved draft from {formatDateTime(at)}.</p>
      )}
      {changed.length > 0 && (
        <p>
          Changed by someone else since then: {changed.join(', ')}. Saving replaces those changes with yours.
        </p>
      )}
    </Alert>
  )
}
