import { LinkButton } from '@portal/account-ui/link-button'
import { isApiError, messageOf, referenceOf } from '@portal/api/error'
import { paths } from '@portal/router/paths'
import { Alert } from '@portal/ui/alert'
import { Button } from '@portal/ui/button'
import { isResetTokenFailure, resetFailureText } from '../../parts/failure.ts'

interface Props {
  error: Error
  busy?: boolean
  onRetry?: () => void
}

/** Explains why a link or a new password was refused, and offers the next step: a new link, or a retry. */
export function ResetFailure({ error, busy, onRetry }: Props) {
  const isLinkInvalid = isApiError(error) && isResetTokenFailure(error)
  const actions = isLinkInvalid ? (
    <LinkButton variant="primary" to={paths.homeDialog('forgot-password')}>
      Request a new link
    </LinkButton>
  ) : (
    onRetry && (
      <Button busy={busy} onClick={onRetry}>
        Try again
      </Button>
    )
  )
  return (
    <Alert tone="danger" reference={referenceOf(error)} actions={actions}>
      {isApiError(error) ? resetFailureText(error) : messageOf(error)}
    </Alert>
  )
}
