import { type PersonaName, personas } from '@portal/fixtures/personas'
import { readStored } from '@portal/session/storage'
import { hasLiveSession, session, signIn, signOut } from '@portal/session/store'
import { setupWorker } from 'msw/browser'
import { stateOf } from './amounts.ts'
import {
  type Amount,
  amounts,
  type Conditions,
  conditionHandlers,
  defaultConditions,
  loginPersonas,
  type RouteName,
  readConditions,
  writeConditions,
} from './conditions.ts'
import { saveFilesOfLinks } from './files.ts'
import { createHandlers } from './handlers.ts'
import { type Panel, type SignedIn, showPanel } from './panel.ts'
import { beginSession } from './sessions.ts'
import { type GatewayOutcome, gatewayOutcomes, settle } from './settle.ts'
import { browserStore, type MockUser, type Store } from './state.ts'
import { sessionIdOf } from './token.ts'
import { untilControlled } from './worker.ts'

/** Raise it when the shape of the state or the fixtures change: older data is then ignored. */
const KEY = 'portal-mocks-6'
/** Each amount of data has its own state. */
const keyOf = (amount: Amount) => (amount === 'some' ? KEY : `${KEY}-${amount}`)
const CONDITIONS = 'portal-mocks-conditions'
/** The mocked gateway's page has no worker: it asks a page that runs the mocks. */
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

/** Logs emails that a mail server would have delivered. */
function announceMails(store: Store, addressOf: (link: string) => string): Store {
  let seen = store.read().mails.length
  return {
    read: store.read,
    write: state => {
      for (const mail of state.mails.slice(0, Math.max(0, state.mails.length - seen))) {
        console.info(`Mail to ${mail.to}: ${mail.subject} ${mail.link ? addressOf(mail.link) : ''}`)
      }
      seen = state.mails.length
      store.write(state)
    },
  }
}

/** Conditions from the URL, or the stored ones. */
function presentConditions(): Conditions {
  const inUrl = conditionsInUrl()
  const { conditions, unknown } = readConditions(inUrl ?? localStorage.getItem(CONDITIONS) ?? '')
  if (unknown.length > 0) console.warn(`Unknown words in ?mocks=…: ${unknown.join(', ')}`)
  if (inUrl !== undefined) remember(conditions)
  return conditions
}

const remember = (conditions: Conditions) => localStorage.setItem(CONDITIONS, writeConditions(conditions))

/** The value of `mocks=` without `reset` and `panel`, which apply to this visit only. */
function conditionsInUrl(): string | undefined {
  const words = new URLSearchParams(location.search).get('mocks')?.split(',')
  const chosen = words?.filter(word => word !== 'reset' && word !== 'panel') ?? []
  return chosen.length > 0 ? chosen.join(',') : undefined
}

const says = (word: string) =>
  (new URLSearchParams(location.search).get('mocks') ?? '').split(',').includes(word)

function reset() {
  for (const amount of amounts) localStorage.removeItem(keyOf(amount))
  localStorage.removeItem(CONDITIONS)
}

/** Ends a session whose state is gone, and signs in the persona requested in the URL. */
function settleSession(store: Store, { persona }: Conditions, usualPersona: PersonaName | undefined) {
  const state = store.read()
  const { token, user } = session.get()
  const sid = sessionIdOf(`Bearer ${token}`)
  const wanted = persona ?? usualPersona ?? 'nobody'
  const email = wanted === 'nobody' ? undefined : personas[wanted].email
  const replaced = conditionsInUrl()?.includes('as:') && user?.email !== email
  if (token && (replaced || !state.sessions.some(each => each.sid === sid))) signOut()
  const account = state.users.find(each => each.email === email)
  if (!hasLiveSession() && account) signIn(beginSessionIn(store, account))
}

/** A session of this account, kept with the rest. */
function beginSessionIn(store: Store, { id }: MockUser) {
  const state = store.read()
  const account = state.users.find(each => each.id === id)
  if (!account) throw new Error('The mocks have no such account.')
  const begun = beginSession(state, account, new Date())
  store.write(state)
  return begun
}

/** The signed-in user according to storage, because the page may have its own copy of the session store. */
function signedIn(): SignedIn {
  const { email } = readStored().user ?? {}
  if (email === undefined) return 'nobody'
  return loginPersonas.find(name => personas[name].email === email) ?? 'other'
}

/** Applies new conditions by reloading the page. */
function begin(next: Conditions) {
  remember(next)
  const address = new URL(location.href)
  address.searchParams.delete('mocks')
  if (address.href === location.href) location.reload()
  else location.replace(address)
}

/** The institution's colour, which a server would have put into the page. */
function showBrand() {
  const href = '/api/brand.css'
  if (document.querySelector(`link[rel="stylesheet"][href^="${href}"]`)) return
  document.head.append(Object.assign(document.createElement('link'), { rel: 'stylesheet', href }))
}

interface Options {
  /** The default persona. */
  persona?: PersonaName
  /** Base path of the page's app, the worker and the gateway's page. */
  base?: string
  /** The worker's file, relative to `base`. */
  worker?: string
}

/**
 * Answers the API inside the page, so that a front end needs no server. `base` must serve the worker and
 * `mock-gateway.html` (both in this package's `public/`). State and conditions are kept in local storage; `?mocks=reset` resets them, `?mocks=slow,empty` sets conditions. Returns what a panel needs to show and change them.
 */
export async function startMocks({
  persona,
  base = '/',
  worker = 'mockServiceWorker.js',
}: Options = {}): Promise<Panel> {
  if (says('reset')) reset()
  const current = presentConditions()
  const { amount } = current
  const origin = new URL(base, location.href).href.replace(/\/$/, '')
  const addressOf = (link: string) => origin + link
  const store = announceMails(
    browserStore(localStorage, keyOf(amount), () => stateOf(amount)),
    addressOf,
  )
  store.write({ ...store.read(), origin })
  settleSession(store, current, persona)
  listenToGateway(store)
  const called = new Set<RouteName>()
  const noted = (route: RouteName | undefined) => route && called.add(route)
  const handlers = [...conditionHandlers(current, noted), ...createHandlers(store)]
  const serviceWorker = { url: base + worker, options: { scope: base } }
  await setupWorker(...handlers).start({ onUnhandledFrame: 'bypass', quiet: true, serviceWorker })
  await untilControlled()
  saveFilesOfLinks()
  showBrand()
  return {
    conditions: current,
    apply: begin,
    become(next) {
      signOut()
      const account = store
        .read()
        .users.find(each => next !== 'nobody' && each.email === personas[next].email)
      if (account) signIn(beginSessionIn(store, account))
      begin({ ...current, persona: persona && next })
    },
    signedIn,
    reset() {
      reset()
      signOut()
      begin(defaultConditions)
    },
    mails: () => store.read().mails,
    addressOf,
    called: () => [...called],
  }
}

/** Like `startMocks`, with a bar to change the conditions. Automated browsers show it only with `?mocks=panel`. */
export async function startMocksWithPanel(options: Options = {}): Promise<void> {
  const panel = await startMocks(options)
  if (!navigator.webdriver || says('panel')) showPanel(panel)
}
