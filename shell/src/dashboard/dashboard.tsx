import { cache } from '@portal/api/cache'
import { isClientError, messageOf } from '@portal/api/error'
import { q } from '@portal/api/query'
import { mergeUser, signOut, useSession } from '@portal/session/store'
import { Button } from '@portal/ui/button'
import { QueryClientProvider, useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import classes from './dashboard.module.css'
import { DashboardBoundary } from './dashboard-boundary.tsx'
import { profile } from './endpoints.ts'
import { Layout } from './layout.tsx'
import { useIsSigningOut } from './use-sign-out.ts'

/** All pages under /dashboard, and the cache of their requests. */
export default function Dashboard() {
  const isSigningOut = useIsSigningOut()
  return (
    <QueryClientProvider client={cache}>
      <DashboardBoundary>
        {isSigningOut ? (
          <p className={classes.notice} role="status">
            Signing out…
          </p>
        ) : (
          <Profile />
        )}
      </DashboardBoundary>
    </QueryClientProvider>
  )
}

/** Loads the user who is logged in, then shows the frame with the remote for the user's role. */
function Profile() {
  const token = useSession(session => session.token)
  const profileQuery = useQuery({ ...q(profile), staleTime: 0, enabled: token !== undefined })
  const user = profileQuery.data?.user

  useEffect(() => {
    // The server is authoritative: a changed role or name replaces what was stored at login.
    if (user) mergeUser(user)
  }, [user])

  if (user) return <Layout user={user} />
  if (profileQuery.isPending) return <p className={classes.notice}>Loading dashboard...</p>
  // Shown if there is no user, because access is denied or the server failed.
  const problem =
    profileQuery.error && !isClientError(profileQuery.error) ? messageOf(profileQuery.error) : undefined
  return (
    <main className={classes.notice} role="alert">
      <h1>Access Denied</h1>
      <p>Please log in to access the dashboard.</p>
      {problem && <p>The dashboard could not be loaded: {problem}</p>}
      <div className={classes.actions}>
        {problem && (
          <Button
            variant="primary"
            busy={profileQuery.isFetching}
            onClick={() => void profileQuery.refetch()}
          >
            Try again
          </Button>
        )}
        <Button variant={problem ? 'secondary' : 'primary'} onClick={signOut}>
          Go to Login
        </Button>
      </div>
    </main>
  )
}
