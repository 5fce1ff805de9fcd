import { Button } from '@portal/ui/button'
import { Component, type ReactNode } from 'react'
import { asError } from '../federation/checks.ts'
import { originOf, reportToServer } from '../federation/report.ts'
import classes from './dashboard.module.css'
import { useSignOut } from './use-sign-out.ts'

interface State {
  failed: boolean
}

/** The outermost error boundary of the dashboard, for errors that no micro-frontend's own boundary catches. */
export class DashboardBoundary extends Component<{ children: ReactNode }, State> {
  override state: State = { failed: false }

  static getDerivedStateFromError(): State {
    return { failed: true }
  }

  override componentDidCatch(cause: unknown) {
    const error = asError(cause)
    // The error may come from the code of a micro-frontend; an error without a release comes from the shell.
    reportToServer({ remote: 'shell', ...originOf(error), stage: 'rendering' }, error)
  }

  override render() {
    return this.state.failed ? <DashboardStopped /> : this.props.children
  }
}

function DashboardStopped() {
  const signOut = useSignOut()
  return (
    <main className={classes.notice} role="alert">
      <h1>The dashboard stopped because of an error</h1>
      <p>Please load the page again. If it happens again, contact the institution.</p>
      <div className={classes.actions}>
        <Button variant="primary" onClick={() => location.reload()}>
          Load again
        </Button>
        <Button variant="secondary" onClick={signOut}>
          Sign Out
        </Button>
      </div>
    </main>
  )
}
