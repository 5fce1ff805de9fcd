import { type ComponentType, startTransition, useEffect, useState } from 'react'
import { asError } from './checks.ts'
import { RemoteLoading } from './remote-loading.tsx'

type Outcome =
  | { readonly Component: ComponentType; readonly error?: never }
  | { readonly error: Error; readonly Component?: never }

/** A component whose code is still loading. `begin` starts loading in advance, so that the component is drawn immediately. */
export type LoadingComponent = ComponentType & { begin: () => Promise<Outcome> }

/**
 * Creates a component whose code is still loading when it is first rendered; if loading fails, rendering throws the error. It
 * is like `lazy` with a fallback, but is rendered as soon as its code has loaded. With `lazy`, React would show the fallback
 * for at least 300 ms, and load the content's data, styles and fonts only afterwards.
 */
export function loadingComponent(load: () => Promise<{ default: ComponentType }>): LoadingComponent {
  let outcome: Outcome | undefined
  let loading: Promise<Outcome> | undefined
  const setOutcome = (result: Outcome) => {
    outcome = result
    return result
  }
  const begin = () => {
    loading ??= load().then(
      module => setOutcome({ Component: module.default }),
      (cause: unknown) => setOutcome({ error: asError(cause) }),
    )
    return loading
  }
  function LoadingComponent() {
    const [shown, setShown] = useState(outcome)
    if (!shown) void begin()
    useEffect(() => {
      // As a transition, the rendering is interruptible, so the browser can do other work in between.
      if (!shown) void begin().then(() => startTransition(() => setShown(outcome)))
    }, [shown])
    if (!shown) return <RemoteLoading />
    if (shown.error) throw shown.error
    return <shown.Component />
  }
  return Object.assign(LoadingComponent, { begin })
}
