import { messageOf, referenceOf } from '@portal/api/error'
import { Alert } from '@portal/ui/alert'
import { Button } from '@portal/ui/button'

interface Props {
  /** What could not be loaded, as a sentence. */
  title?: string | undefined
  query: { error: unknown; isFetching: boolean; refetch: () => unknown }
  /** Returns the reason to show, in place of the error's own message. */
  reason?: ((error: unknown) => string) | undefined
  onDismiss?: (() => void) | undefined
}

/** Error banner with the reason, the reference for support, and a retry button. */
export function LoadFailure({ title, query, reason = messageOf, onDismiss }: Props) {
  return (
    <Alert
      tone="danger"
      title={title}
      reference={referenceOf(query.error)}
      onDismiss={onDismiss}
      actions={
        <Button size="sm" busy={query.isFetching} onClick={() => void query.refetch()}>
          Try again
        </Button>
      }
    >
      {reason(query.error)}
    </Alert>
  )
}
