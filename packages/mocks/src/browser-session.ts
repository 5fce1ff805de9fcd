import { type PersonaName, personas } from '@portal/fixtures/personas'
import { readStoredSession } from '@portal/session/storage'
import { hasLiveSession, session, signIn, signOut } from '@portal/session/store'
import { giveRowsTo } from './amounts.ts'
import { type Conditions, loginPersonas } from './conditions.ts'
import type { SignedInAs } from './panel.ts'
import { beginSession } from './sessions.ts'
import type { MockSession, Store } from './state.ts'
import { parseSessionId } from './token.ts'

/** Signs in as a persona, if the state has the persona's account. */
export function signInAs(
  store: Store,
  { persona, amount }: Pick<Conditions, 'amount'> & { persona: PersonaName | 'nobody' },
): void {
  if (persona === 'nobody') return
  const state = store.read()
  const account = state.users.find(user => user.email === personas[persona].email)
  if (!account) return
  if (amount === 'huge') giveRowsTo(state, account)
  const newSession = beginSession(state, account, new Date())
  store.write(state)
  signIn(newSession)
}

interface SessionOptions {
  conditions: Conditions
  /** The persona to sign in as if the conditions name none. */
  defaultPersona: PersonaName | undefined
  /** True to sign out anyone other than the chosen persona first. */
  replace: boolean
}

/** Ends a session that does not exist in the mocks, and signs in as the chosen persona if no one is signed in. */
export function syncSession(store: Store, { conditions, defaultPersona, replace }: SessionOptions): void {
  const { token, user } = session.get()
  const sid = parseSessionId(`Bearer ${token}`)
  const persona = conditions.persona ?? defaultPersona ?? 'nobody'
  const email = persona === 'nobody' ? undefined : personas[persona].email
  const isGone = !store.read().sessions.some(item => item.sid === sid)
  if (token && (isGone || (replace && user?.email !== email))) signOut()
  if (!hasLiveSession()) signInAs(store, { persona, amount: conditions.amount })
}

/** Copies sessions into the state that was just opened, for accounts that also exist there. */
export function copySessions(store: Store, sessions: readonly MockSession[]): void {
  const state = store.read()
  const userIds = new Set(state.users.map(({ id }) => id))
  const knownSessionIds = new Set(state.sessions.map(({ sid }) => sid))
  const copiedSessions = sessions.filter(
    ({ sid, user_id }) => userIds.has(user_id) && !knownSessionIds.has(sid),
  )
  store.write({ ...state, sessions: [...state.sessions, ...copiedSessions] })
}

/** Returns who is signed in. Reads storage, because the page may have its own copy of the session store. */
export function readSignedInPersona(): SignedInAs {
  const { email } = readStoredSession().user ?? {}
  if (email === undefined) return 'nobody'
  return loginPersonas.find(name => personas[name].email === email) ?? 'other'
}
