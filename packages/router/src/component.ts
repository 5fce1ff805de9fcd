import type { RemoteComponent } from '@portal/contract/remote'
import type { ComponentType } from 'react'

/** The contract does not depend on React; every remote exports React components. */
export const asComponent = <Props>(part: RemoteComponent<Props>) => part as ComponentType<Props>

/** The argument of `lazy`, from a remote's route. */
export const asModule = async (
  loading: Promise<{ default: RemoteComponent }>,
): Promise<{ default: ComponentType }> => ({
  default: asComponent((await loading).default),
})
