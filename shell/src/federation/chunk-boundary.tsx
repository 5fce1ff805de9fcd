import { Component, type ReactNode } from 'react'
import { asError } from './checks.ts'
import classes from './remote-boundary.module.css'
import { reportRemoteError } from './remotes.ts'

interface State {
  error?: { readonly name?: unknown } | null
}

/**
 * Error boundary for the parts of the shell that are loaded lazily. It mentions the connection only if loading failed: then the
 * connection is lost, or a newer release has replaced the files of this page.
 */
export class ChunkBoundary extends Component<{ children: ReactNode }, State> {
  override state: State = {}

  static getDerivedStateFromError(cause: unknown): State {
    return { error: Object(cause) }
  }

  override componentDidCatch(cause: unknown) {
    reportRemoteError('shell', asError(cause), 'loading')
  }

  override render() {
    const { error } = this.state
    if (!error) return this.props.children
    const isLoadFailure = error.name === 'ChunkLoadError' || !navigator.onLine
    return (
      <div role="alert" className={classes.down}>
        <p>
          The dashboard could not be loaded. Please {isLoadFailure && 'check your connection and '}load the
          page again.
        </p>
        <button type="button" className={classes.retry} onClick={() => location.reload()}>
          Load again
        </button>
      </div>
    )
  }
}
