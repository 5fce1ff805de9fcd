import { Component, type ReactNode } from 'react'
import classes from './remote-boundary.module.css'

/**
 * For the shell's own lazy parts. They come from the page's own server, so a failure means that the connection is
 * gone or that this page is older than the release on the server: loading the page again mends both.
 */
export class ChunkBoundary extends Component<{ children: ReactNode }, { failed: boolean }> {
  override state = { failed: false }

  static getDerivedStateFromError() {
    return { failed: true }
  }

  override render() {
    if (!this.state.failed) return this.props.children
    return (
      <div role="alert" className={classes.down}>
        <p>The dashboard could not be loaded. Please check your connection and load the page again.</p>
        <button type="button" className={classes.retry} onClick={() => location.reload()}>
          Load again
        </button>
      </div>
    )
  }
}
