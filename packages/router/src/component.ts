import type { RemoteComponent } from '@portal/contract/remote'
import type { ComponentType } from 'react'

/** Casts a remote's component to a React component; the contract itself does not depend on React. */
export const asComponent = <Props>(component: RemoteComponent<Props>) => component as ComponentType<Props>

/** Converts a remote's module to what React's `lazy` expects its function to return. */
export const asModule = async (
  loading: Promise<{ default: RemoteComponent }>,
): Promise<{ default: ComponentType }> => ({
  default: asComponent((await loading).default),
})
