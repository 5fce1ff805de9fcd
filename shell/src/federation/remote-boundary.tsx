import type { RemoteName } from '@portal/contract/remote'
import { Component, type ReactNode } from 'react'
import { asError, IncompatibleRemote } from './checks.ts'
import { knownRemotes } from './config.ts'
import { resolvePageShown } from './page-shown.ts'
import classes from './remote-boundary.module.css'
import { reportRemoteError } from './remotes.ts'

const titles: Readonly<Record<string, string>> = {
  'mfe-public': 'This page',
  'mfe-user': 'Your dashboard',
  'mfe-admin': 'The administration',
}

/** Returns the name that users see for a remote's part of the portal. */
const titleOfRemote = (name: RemoteName) =>
  titles[name] ?? knownRemotes()?.remotes.find(remote => remote.name === name)?.area?.title ?? 'This part'

interface RemoteDownProps {
  name: RemoteName
  error: Error
  onRetry: () => void
}

/** Returns a sentence that states which part of the portal is missing, and why. */
export const describeFailure = (name: RemoteName, error: Error) =>
  `${titleOfRemote(name)} ${
    error instanceof IncompatibleRemote
      ? 'is being updated. Please load this page again in a few minutes; the rest of the portal still works.'
      : 'is unavailable right now. The rest of the portal still works.'
  }`

/** Shown in place of a remote that is missing, slow, broken or built for another shell. */
export function RemoteDown({ name, error, onRetry }: RemoteDownProps) {
  return (
    <div role="alert" className={classes.down} data-remote-down={name}>
      <p>{describeFailure(name, error)}</p>
      <button type="button" className={classes.retry} onClick={onRetry}>
        Try again
      </button>
    </div>
  )
}

/** Shows that something on the page has failed, without removing the page. */
export function RemoteTrouble({ onRetry }: Pick<RemoteDownProps, 'onRetry'>) {
  return (
    <div role="alert" className={classes.trouble}>
      <p>Something on this page did not work. You can open it again, but your input will be lost.</p>
      <button type="button" className={classes.retry} onClick={onRetry}>
        Open again
      </button>
    </div>
  )
}

interface BoundaryProps {
  name: RemoteName
  /** The current address; when it changes, an error is cleared. */
  path: string
  onRetry: () => void
  children: ReactNode
}

interface State {
  error?: Error | undefined
  path: string
}

/** Catches what a page of a remote throws, while loading or rendering. */
export class RemoteBoundary extends Component<BoundaryProps, State> {
  override state: State = { path: this.props.path }

  static getDerivedStateFromError(cause: unknown): Partial<State> {
    return { error: asError(cause) }
  }

  static getDerivedStateFromProps(props: BoundaryProps, state: State): State | null {
    return props.path === state.path ? null : { error: undefined, path: props.path }
  }

  override componentDidCatch(error: Error) {
    reportRemoteError(this.props.name, error)
    resolvePageShown(error)
  }

  private readonly retry = () => {
    this.setState({ error: undefined })
    this.props.onRetry()
  }

  override render() {
    const { error } = this.state
    return error ? (
      <RemoteDown name={this.props.name} error={error} onRetry={this.retry} />
    ) : (
      this.props.children
    )
  }
}
