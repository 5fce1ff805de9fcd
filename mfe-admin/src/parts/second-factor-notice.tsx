import { q } from '@portal/api/query'
import { Link, useLocation } from '@portal/router'
import { paths } from '@portal/router/paths'
import { Alert } from '@portal/ui/alert'
import { useQuery } from '@tanstack/react-query'
import { secondFactor } from './endpoints.ts'

/**
 * Explains that screens are locked until the user sets up an authenticator app, and links to the set-up. The server enforces
 * the rule.
 */
export function SecondFactorNotice() {
  const { pathname } = useLocation()
  const { data } = useQuery({ ...q(secondFactor.read), staleTime: 60_000 })
  const securityPath = paths.dashboard('security')
  if (!data?.required || data.enrolled || pathname === securityPath) return null
  return (
    <Alert tone="warning" title="Your institution requires an authenticator app for staff">
      Until you set one up, these screens stay locked. <Link to={securityPath}>Set it up now</Link>
    </Alert>
  )
}
