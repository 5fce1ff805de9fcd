import type { RemoteComponent } from '@portal/contract/remote'
import type { ComponentType } from 'react'

/** Types a remote's component for React; the contract itself does not depend on React. */
export const asComponent = <Props>(component: RemoteComponent<Props>) => component as ComponentType<Props>

/** Converts a remote's module to what the function passed to `lazy` must return. */
export const asModule = async (
  loading: Promise<{ default: RemoteComponent }>,
): Promise<{ default: ComponentType }> => ({
  default: asComponent((await loading).default),
})
