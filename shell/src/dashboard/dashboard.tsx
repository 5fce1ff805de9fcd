import { paths } from '@portal/router/paths'
import { useSession } from '@portal/session/store'
import { RemotePages } from '../federation/remote-pages.tsx'
import { remoteOf } from './remote-of-role.ts'

export default function Dashboard() {
  const role = useSession(session => session.user?.role)
  return <RemotePages name={remoteOf(role)} elsewhere={paths.dashboard()} />
}
