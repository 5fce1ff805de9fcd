import { messageOf, referenceOf } from '@portal/api/error'
import { Alert } from '@portal/ui/alert'
import { Button } from '@portal/ui/button'

interface Props {
  /** What could not be loaded, in a sentence of its own. */
  title?: string | undefined
  query: { error: unknown; isFetching: boolean; refetch: () => unknown }
  /** Words for the failure, where they are not its own. */
  reason?: ((error: unknown) => string) | undefined
  onDismiss?: (() => void) | undefined
}

/** The red banner of what could not be loaded: why, by what support finds it, and the way to try again. */
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
