import { useLocation, useNavigate } from '@portal/router'
import { useEffect, useEffectEvent } from 'react'

/** What is needed to fetch a result again; nothing of the certificate but the number that was typed. */
export interface KeptResult {
  userId: string
  transactionId: string
  number: string
  /** When it was shown first, in milliseconds since 1970. */
  shownAt: number
}

/** How the page was opened, as the browser reports it. */
export interface Opening {
  /** `navigate` for an address that was entered or followed; else `reload`, `back_forward`. */
  type: string | undefined
  /** In milliseconds since 1970. */
  at: number
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null

export function thisOpening(): Opening {
  const [entry] = performance.getEntriesByType('navigation')
  return { type: entry && 'type' in entry ? String(entry.type) : undefined, at: performance.timeOrigin }
}

/**
 * The result that an entry of the browser's history was left with, if this user left it. An address that is entered again keeps
 * its entry, and yet asks for an empty field.
 */
export function resultOfEntry(
  state: unknown,
  userId: string | undefined,
  opening: Opening,
): KeptResult | null {
  const kept = isRecord(state) ? state.result : undefined
  if (!isRecord(kept) || userId === undefined || kept.userId !== userId) return null
  const { transactionId, number, shownAt } = kept
  if (typeof transactionId !== 'string' || typeof number !== 'string' || typeof shownAt !== 'number')
    return null
  if (opening.type === 'navigate' && shownAt < opening.at) return null
  return { userId, transactionId, number, shownAt }
}

/**
 * The result on the screen, kept with the entry of the browser's history: after a reload and Back it is offered again,
 * anyone who opens the screen again gets the empty field alone.
 */
export function useKeptResult(userId: string | undefined) {
  const { pathname, search, hash, state } = useLocation()
  const navigate = useNavigate()
  const replace = (result: KeptResult | undefined) =>
    void navigate(
      { pathname, search, hash },
      { replace: true, state: { ...(isRecord(state) && state), result } },
    )
  const kept = resultOfEntry(state, userId, thisOpening())
  const onOpened = useEffectEvent(() => {
    // Or the next reload would bring what was just not wanted.
    if (!kept && isRecord(state) && state.result) replace(undefined)
  })
  useEffect(() => onOpened(), [])
  return {
    kept,
    keep: (transactionId: string, number: string) => {
      if (userId && kept?.transactionId !== transactionId)
        replace({ userId, transactionId, number, shownAt: Date.now() })
    },
    drop: () => {
      if (kept) replace(undefined)
    },
  }
}
