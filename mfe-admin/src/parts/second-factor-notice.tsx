import { q } from '@portal/api/query'
import { Link, useLocation } from '@portal/router'
import { paths } from '@portal/router/paths'
import { Alert } from '@portal/ui/alert'
import { useQuery } from '@tanstack/react-query'
import { secondFactor } from './endpoints.ts'

/**
 * Tells staff why every screen is refused when their institution asks for an authenticator app and theirs is not set
 * up. The server refuses; this only shows the way.
 */
export function SecondFactorNotice() {
  const { pathname } = useLocation()
  const { data } = useQuery({ ...q(secondFactor.read), staleTime: 60_000 })
  const security = paths.dashboard('security')
  if (!data?.required || data.enrolled || pathname === security) return null
  return (
    <Alert tone="warning" title="Your institution asks staff for an authenticator app">
      Until yours is set up, these screens stay closed. <Link to={security}>Set it up now</Link>
    </Alert>
  )
}
