import { Navigate } from '@portal/router'
import { paths } from '@portal/router/paths'

/** Where `/dashboard` leads for staff. */
export default function StartPage() {
  return <Navigate to={paths.dashboard('overview')} replace />
}
