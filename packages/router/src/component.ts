import type { Part } from '@portal/contract/remote'
import type { ComponentType } from 'react'

/** A part of a remote as React sees it. The contract knows no React; every remote gives React components. */
export const asComponent = <Props>(part: Part<Props>) => part as ComponentType<Props>

/** What `lazy` takes, from a remote's route. */
export const asModule = async (loading: Promise<{ default: Part }>): Promise<{ default: ComponentType }> => ({
  default: asComponent((await loading).default),
})
