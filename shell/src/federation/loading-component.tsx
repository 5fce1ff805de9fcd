import { type ComponentType, startTransition, useEffect, useState } from 'react'
import { asError } from './checks.ts'
import { RemoteLoading } from './remote-loading.tsx'

type Outcome =
  | { readonly Component: ComponentType; readonly error?: never }
  | { readonly error: Error; readonly Component?: never }

/** `begin` loads it in advance, so that it is drawn immediately. */
export type Arriving = ComponentType & { begin: () => Promise<Outcome> }

/**
 * A component whose code is still loading when it is first rendered; if loading fails, rendering throws the error. It
 * is like `lazy` with a fallback, but rendered as soon as it has loaded: React delays content until its fallback has
 * been visible for 300 ms, and with it the content's data, styles and fonts.
 */
export function arriving(load: () => Promise<{ default: ComponentType }>): Arriving {
  let outcome: Outcome | undefined
  let loading: Promise<Outcome> | undefined
  const keep = (found: Outcome) => {
    outcome = found
    return found
  }
  const begin = () => {
    loading ??= load().then(
      module => keep({ Component: module.default }),
      (cause: unknown) => keep({ error: asError(cause) }),
    )
    return loading
  }
  function Arriving() {
    const [known, setKnown] = useState(outcome)
    if (!known) void begin()
    useEffect(() => {
      // In a transition, the browser can do other work between the parts of the page.
      if (!known) void begin().then(() => startTransition(() => setKnown(outcome)))
    }, [known])
    if (!known) return <RemoteLoading />
    if (known.error) throw known.error
    return <known.Component />
  }
  return Object.assign(Arriving, { begin })
}
