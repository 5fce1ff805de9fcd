import type { Part } from '@portal/contract/remote'
import type { ComponentType } from 'react'

/** A component of a remote. The contract does not depend on React; every remote exports React components. */
export const asComponent = <Props>(part: Part<Props>) => part as ComponentType<Props>

/** The argument of `lazy`, from a remote's route. */
export const asModule = async (loading: Promise<{ default: Part }>): Promise<{ default: ComponentType }> => ({
  default: asComponent((await loading).default),
})
