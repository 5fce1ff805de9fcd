import { type ComponentType, startTransition, useEffect, useState } from 'react'
import { RemoteLoading } from './remote-loading.tsx'

type Outcome = { readonly Component: ComponentType } | { readonly error: unknown }

/**
 * A component whose code is on its way when it is first drawn; what stopped the code is thrown where it would stand.
 * As `lazy` with a fallback, but drawn as soon as it is there: React holds back what follows a fallback until that has
 * been seen for 300 ms, and what comes late asks late for data, styles and letters of its own.
 */
export function arriving(load: () => Promise<{ default: ComponentType }>): ComponentType {
  let outcome: Outcome | undefined
  let loading: Promise<void> | undefined
  const begin = () => {
    loading ??= load().then(
      module => {
        outcome = { Component: module.default }
      },
      (error: unknown) => {
        outcome = { error }
      },
    )
    return loading
  }
  return function Arriving() {
    const [known, setKnown] = useState(outcome)
    if (!known) void begin()
    useEffect(() => {
      // In a transition the browser may do other things between the parts of the page.
      if (!known) void begin().then(() => startTransition(() => setKnown(outcome)))
    }, [known])
    if (!known) return <RemoteLoading />
    if ('error' in known) throw known.error
    return <known.Component />
  }
}
