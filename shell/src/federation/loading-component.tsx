import { type ComponentType, startTransition, useEffect, useState } from 'react'
import { RemoteLoading } from './remote-loading.tsx'

type Outcome = { readonly Component: ComponentType } | { readonly error: unknown }

/**
 * A component whose code is still loading when it is first rendered; throws a load error on rendering. Like `lazy` with a
 * fallback, but rendered as soon as it has loaded: React holds back content after a fallback until that has been visible for
 * 300 ms, which delays the content's data, styles and fonts.
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
      // In a transition the browser can do other work between the parts of the page.
      if (!known) void begin().then(() => startTransition(() => setKnown(outcome)))
    }, [known])
    if (!known) return <RemoteLoading />
    if ('error' in known) throw known.error
    return <known.Component />
  }
}
