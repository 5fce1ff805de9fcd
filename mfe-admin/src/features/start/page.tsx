import { Navigate } from '@portal/router'
import { paths } from '@portal/router/paths'

/** Redirects staff from `/dashboard` to their first screen. */
export default function StartPage() {
  return <Navigate to={paths.dashboard('overview')} replace />
}
