import { type PersonaName, personas } from '@portal/fixtures/personas'
import { hasLiveSession, session, signIn, signOut } from '@portal/session/store'
import { setupWorker } from 'msw/browser'
import { stateOf } from './amounts.ts'
import { beginSession } from './auth.ts'
import {
  type Amount,
  amounts,
  type Conditions,
  conditionHandlers,
  readConditions,
  usual,
  writeConditions,
} from './conditions.ts'
import { createHandlers } from './handlers.ts'
import { showPanel } from './panel.ts'
import { type GatewayOutcome, gatewayOutcomes, settle } from './settle.ts'
import { browserStore, type Store } from './state.ts'
import { sessionIdOf } from './token.ts'

/** Raise the number when the state's shape or the fixtures change: older data is then no longer read. */
const KEY = 'portal-mocks-6'
/** Each amount of data is a world of its own. */
const keyOf = (amount: Amount) => (amount === 'some' ? KEY : `${KEY}-${amount}`)
const CONDITIONS = 'portal-mocks-conditions'
/** The mocked gateway's page has no worker of its own: it asks whichever page runs the mocks. */
const CHANNEL = 'portal-mock-gateway'

interface GatewayMessage {
  transaction_id: string
  outcome: GatewayOutcome
}

function isGatewayMessage(value: unknown): value is GatewayMessage {
  if (typeof value !== 'object' || value === null) return false
  if (!('transaction_id' in value && 'outcome' in value)) return false
  const outcome: unknown = value.outcome
  return typeof value.transaction_id === 'string' && gatewayOutcomes.some(each => each === outcome)
}

function listenToGateway(store: Store) {
  const channel = new BroadcastChannel(CHANNEL)
  channel.onmessage = ({ data }: MessageEvent<unknown>) => {
    if (!isGatewayMessage(data)) return
    const state = store.read()
    const known = settle(state, data.transaction_id, data.outcome)
    if (known) store.write(state)
    channel.postMessage({ transaction_id: data.transaction_id, settled: known })
  }
}

/** Tells the developer what a mail server would have delivered. */
function announceMails(store: Store): Store {
  let seen = store.read().mails.length
  return {
    read: store.read,
    write: state => {
      for (const mail of state.mails.slice(0, Math.max(0, state.mails.length - seen))) {
        console.info(`Mail to ${mail.to}: ${mail.subject} ${mail.link ? location.origin + mail.link : ''}`)
      }
      seen = state.mails.length
      store.write(state)
    },
  }
}

/** Told by the address, or else as remembered from the last time. */
function presentConditions(): Conditions {
  const asked = askedFor()
  const { conditions, unknown } = readConditions(asked ?? localStorage.getItem(CONDITIONS) ?? '')
  if (unknown.length > 0) console.warn(`The mocks know no ${unknown.join(', ')} in ?mocks=…`)
  if (asked !== undefined) remember(conditions)
  return conditions
}

const remember = (conditions: Conditions) => localStorage.setItem(CONDITIONS, writeConditions(conditions))

/** What the address says after `mocks=`, but for `reset` and `panel`, which are about this one visit. */
function askedFor(): string | undefined {
  const words = new URLSearchParams(location.search).get('mocks')?.split(',')
  const said = words?.filter(word => word !== 'reset' && word !== 'panel') ?? []
  return said.length > 0 ? said.join(',') : undefined
}

const says = (word: string) =>
  (new URLSearchParams(location.search).get('mocks') ?? '').split(',').includes(word)

function reset() {
  for (const amount of amounts) localStorage.removeItem(keyOf(amount))
  localStorage.removeItem(CONDITIONS)
}

/** A session of a state that is gone ends; and who is asked for by the address takes the place of someone else. */
function settleSession(store: Store, { persona }: Conditions, usualPersona: PersonaName | undefined) {
  const state = store.read()
  const { token, user } = session.get()
  const sid = sessionIdOf(`Bearer ${token}`)
  const wanted = persona ?? usualPersona ?? 'nobody'
  const email = wanted === 'nobody' ? undefined : personas[wanted].email
  const replaced = askedFor()?.includes('as:') && user?.email !== email
  if (token && (replaced || !state.sessions.some(each => each.sid === sid))) signOut()
  const account = state.users.find(each => each.email === email)
  if (hasLiveSession() || !account) return
  signIn(beginSession(state, account, new Date()))
  store.write(state)
}

/** Takes over what the panel was set to: a page that begins anew meets it everywhere. */
function begin(before: Conditions, next: Conditions) {
  if (before.persona !== next.persona) signOut()
  remember(next)
  const address = new URL(location.href)
  address.searchParams.delete('mocks')
  if (address.href === location.href) location.reload()
  else location.replace(address)
}

interface Options {
  /** Who is signed in when nobody is, unless another persona was chosen. */
  persona?: PersonaName
  /** Shows the button that changes the conditions. A driven browser sees it only for `?mocks=panel`. */
  panel?: boolean
}

/**
 * Answers the API inside the page, so that a micro-frontend runs alone. The page's origin must serve
 * `mockServiceWorker.js` and `mock-gateway.html` (both in this package's `public/`) at its root. State and conditions are
 * kept in local storage; `?mocks=reset` in the address begins anew, `?mocks=slow,empty` sets conditions.
 */
export async function startMocks({ persona, panel = false }: Options = {}): Promise<void> {
  if (says('reset')) reset()
  const conditions = presentConditions()
  const { amount } = conditions
  const store = announceMails(browserStore(localStorage, keyOf(amount), () => stateOf(amount)))
  store.write(store.read())
  settleSession(store, conditions, persona)
  listenToGateway(store)
  const handlers = [...conditionHandlers(conditions), ...createHandlers(store)]
  await setupWorker(...handlers).start({ onUnhandledFrame: 'bypass', quiet: true })
  if (panel && (!navigator.webdriver || says('panel'))) {
    showPanel({
      conditions: { ...conditions, persona: conditions.persona ?? persona ?? 'nobody' },
      apply: next => begin({ ...conditions, persona: conditions.persona ?? persona ?? 'nobody' }, next),
      reset() {
        reset()
        begin(conditions, usual)
      },
    })
  }
}
