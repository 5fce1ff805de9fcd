import { formatDateTime } from '@portal/format/dates'
import { Alert } from '@portal/ui/alert'
import { Button } from '@portal/ui/button'
import type { DraftState } from './use-draft.ts'

interface Props {
  draft: DraftState
  /** What has to be typed again, e.g. 'Type the password again.' */
  hint?: string | undefined
}

/** Above a form's fields: what was typed before is back, or could be, and can be discarded. */
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
          What you entered on {formatDateTime(at)} has been restored. It is not saved yet. {hint}
        </p>
      ) : (
        <p>There is an unsent draft of {formatDateTime(at)}.</p>
      )}
      {changed.length > 0 && (
        <p>
          Changed by someone else since then: {changed.join(', ')}. Saving replaces it with what you entered.
        </p>
      )}
    </Alert>
  )
}
