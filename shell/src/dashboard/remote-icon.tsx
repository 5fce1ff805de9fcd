import type { NavItem, RemoteName } from '@portal/contract/remote'
import { asComponent } from '@portal/router/component'
import { Blocks } from 'lucide-react'
import { Component, Suspense } from 'react'
import { asError } from '../federation/checks.ts'
import { reportRemoteError } from '../federation/remotes.ts'

const iconProps = { 'aria-hidden': true, width: '1.25rem', height: '1.25rem', strokeWidth: 1.75 }

interface Props {
  remote: RemoteName
  icon: NavItem['icon']
}

interface State {
  icon: NavItem['icon']
  failed: boolean
}

/**
 * The icon of an item from a remote. An icon that throws or never arrives is replaced by a plain one; the item keeps its label.
 */
export class RemoteIcon extends Component<Props, State> {
  override state: State = { icon: this.props.icon, failed: false }

  static getDerivedStateFromError() {
    return { failed: true }
  }

  /** Tries again if a new release provides another icon. */
  static getDerivedStateFromProps({ icon }: Props, state: State) {
    return icon === state.icon ? null : { icon, failed: false }
  }

  override componentDidCatch(cause: unknown) {
    reportRemoteError(this.props.remote, asError(cause), 'rendering')
  }

  override render() {
    const { failed, icon } = this.state
    const fallback = <Blocks {...iconProps} />
    if (failed) return fallback
    const Icon = asComponent(icon)
    return (
      <Suspense fallback={fallback}>
        <Icon {...iconProps} />
      </Suspense>
    )
  }
}
