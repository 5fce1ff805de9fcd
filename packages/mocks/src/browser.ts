import type { PersonaName } from '@portal/fixtures/personas'
import { signOut } from '@portal/session/store'
import { setupWorker } from 'msw/browser'
import { createInitialState } from './amounts.ts'
import { copySessions, readSignedInPersona, signInAs, syncSession } from './browser-session.ts'
import { completePayment, type GatewayOutcome, gatewayOutcomes } from './complete-payment.ts'
import {
  type Amount,
  amounts,
  type Conditions,
  conditionHandlers,
  defaultConditions,
  type RouteName,
  readConditions,
  writeConditions,
} from './conditions.ts'
import { saveFilesOfLinks } from './files.ts'
import { createHandlers } from './handlers.ts'
import { type Panel, showPanel } from './panel.ts'
import { browserStore, type Store } from './state.ts'
import { waitUntilControlled } from './worker.ts'

/**
 * Storage key of the state. Increment the number when the shape of the state or the demo data change, so that older data is
 * ignored.
 */
const STORAGE_KEY = 'portal-mocks-8'
/** Returns the storage key of a state; each amount of data has its own. */
const storageKeyOf = (amount: Amount) => (amount === 'some' ? STORAGE_KEY : `${STORAGE_KEY}-${amount}`)
const CONDITIONS_KEY = 'portal-mocks-conditions'
/** Channel by which the mocked gateway's page, which has no worker, tells the page that runs the mocks how a payment ended. */
const CHANNEL = 'portal-mock-gateway'

interface GatewayMessage {
  transaction_id: string
  outcome: GatewayOutcome
}

function isGatewayMessage(value: unknown): value is GatewayMessage {
  if (typeof value !== 'object' || value === null) return false
  if (!('transaction_id' in value && 'outcome' in value)) return false
  const outcome: unknown = value.outcome
  return typeof value.transaction_id === 'string' && gatewayOutcomes.some(item => item === outcome)
}

function listenToGateway(store: Store) {
  const channel = new BroadcastChannel(CHANNEL)
  channel.onmessage = ({ data }: MessageEvent<unknown>) => {
    if (!isGatewayMessage(data)) return
    const state = store.read()
    const isKnown = completePayment(state, data.transaction_id, data.outcome)
    if (isKnown) store.write(state)
    channel.postMessage({ transaction_id: data.transaction_id, settled: isKnown })
  }
}

/** Wraps the store so that emails are logged to the console instead of being sent. */
function logMails(store: Store, addressOf: (link: string) => string): Store {
  let loggedCount = store.read().mails.length
  return {
    read: store.read,
    write: state => {
      for (const mail of state.mails.slice(0, Math.max(0, state.mails.length - loggedCount))) {
        console.info(`Mail to ${mail.to}: ${mail.subject} ${mail.link ? addressOf(mail.link) : ''}`)
      }
      loggedCount = state.mails.length
      store.write(state)
    },
  }
}

/** Returns the conditions in the URL or, if it has none, the stored ones. */
function currentConditions(): Conditions {
  const urlConditions = conditionsInUrl()
  const { conditions, unknown } = readConditions(urlConditions ?? localStorage.getItem(CONDITIONS_KEY) ?? '')
  if (unknown.length > 0) console.warn(`Unknown words in ?mocks=…: ${unknown.join(', ')}`)
  if (urlConditions !== undefined) storeConditions(conditions)
  return conditions
}

const storeConditions = (conditions: Conditions) =>
  localStorage.setItem(CONDITIONS_KEY, writeConditions(conditions))

/**
 * Returns the conditions in `?mocks=…`, without `reset` and `panel`, which apply only to this visit; undefined if there are
 * none.
 */
function conditionsInUrl(): string | undefined {
  const words = new URLSearchParams(location.search).get('mocks')?.split(',')
  const chosen = words?.filter(word => word !== 'reset' && word !== 'panel') ?? []
  return chosen.length > 0 ? chosen.join(',') : undefined
}

/** Returns the page's address without `?mocks=`. */
function addressWithoutConditions(): string {
  const address = new URL(location.href)
  address.searchParams.delete('mocks')
  return address.href
}

const hasWord = (word: string) =>
  (new URLSearchParams(location.search).get('mocks') ?? '').split(',').includes(word)

function clearStorage() {
  for (const amount of amounts) localStorage.removeItem(storageKeyOf(amount))
  localStorage.removeItem(CONDITIONS_KEY)
}

/** Loads the style sheet with the institution's colour, to which a server would link in the page. */
function showBrand() {
  const href = '/api/brand.css'
  if (document.querySelector(`link[rel="stylesheet"][href^="${href}"]`)) return
  document.head.append(Object.assign(document.createElement('link'), { rel: 'stylesheet', href }))
}

interface Options {
  /** The persona to sign in as if the conditions name none. */
  persona?: PersonaName
  /** Base path of the page, the worker and the gateway's page. */
  base?: string
  /** Path of the worker's file, relative to `base`. */
  worker?: string
  /** Called after a change in the panel, to refetch the data on the screen. If omitted, the page is reloaded instead. */
  onChange?: () => void
}

/** Reloads the page without `?mocks=…`, because otherwise its conditions would be applied again. */
function reload() {
  const address = addressWithoutConditions()
  if (address === location.href) location.reload()
  else location.replace(address)
}

/** Creates mocks whose conditions and data can be changed while they run. */
function liveMocks({ persona, onChange }: Options, origin: string) {
  const addressOf = (link: string) => origin + link
  let current = currentConditions()
  function openStore(amount: Amount): Store {
    const newStore = browserStore(localStorage, storageKeyOf(amount), () => createInitialState(amount))
    newStore.write({ ...newStore.read(), origin })
    return logMails(newStore, addressOf)
  }
  let currentStore = openStore(current.amount)
  const store: Store = { read: () => currentStore.read(), write: state => currentStore.write(state) }
  const calledRoutes = new Set<RouteName>()
  const observer = {
    onRequest: (route: RouteName | undefined) => route && calledRoutes.add(route),
    onUsed(route: RouteName) {
      const { [route]: _, ...once } = current.once
      current = { ...current, once }
      storeConditions(current)
    },
  }
  const handlers = () => [...conditionHandlers(current, observer), ...createHandlers(store)]
  const mocks = setupWorker(...handlers())

  function applyConditions(next: Conditions) {
    storeConditions(next)
    if (!onChange) return reload()
    history.replaceState(history.state, '', addressWithoutConditions())
    if (next.amount !== current.amount) {
      const { sessions } = store.read()
      currentStore = openStore(next.amount)
      copySessions(store, sessions)
    }
    current = next
    syncSession(store, { conditions: current, defaultPersona: persona, replace: false })
    mocks.resetHandlers(...handlers())
    onChange()
  }

  const panel: Panel = {
    get conditions() {
      return current
    },
    apply: applyConditions,
    become(next) {
      signOut()
      signInAs(store, { persona: next, amount: current.amount })
      applyConditions({ ...current, persona: persona && next })
    },
    signedIn: readSignedInPersona,
    reset() {
      clearStorage()
      signOut()
      current = defaultConditions
      currentStore = openStore(current.amount)
      applyConditions(current)
    },
    mails: () => store.read().mails,
    addressOf,
    called: () => [...calledRoutes],
  }
  const replace = conditionsInUrl()?.includes('as:') ?? false
  syncSession(store, { conditions: current, defaultPersona: persona, replace })
  return { store, panel, mocks }
}

/**
 * Mocks the API inside the page, so that a front end needs no server. `base` must serve the worker and `mock-gateway.html`,
 * which are both in this package's `public/`. State and conditions are stored in local storage. `?mocks=slow,empty` sets
 * conditions, and `?mocks=reset` resets everything. Returns an interface for a panel that shows and changes the conditions.
 */
export async function startMocks(options: Options = {}): Promise<Panel> {
  const { base = '/', worker = 'mockServiceWorker.js' } = options
  if (hasWord('reset')) clearStorage()
  const { store, panel, mocks } = liveMocks(options, new URL(base, location.href).href.replace(/\/$/, ''))
  listenToGateway(store)
  const serviceWorker = { url: base + worker, options: { scope: base } }
  await mocks.start({ onUnhandledFrame: 'bypass', quiet: true, serviceWorker })
  await waitUntilControlled()
  saveFilesOfLinks()
  showBrand()
  return panel
}

/**
 * Like `startMocks`, and adds a bar for changing the conditions. In automated browsers, the bar appears only with
 * `?mocks=panel`.
 */
export async function startMocksWithPanel(options: Options = {}): Promise<void> {
  const panel = await startMocks(options)
  if (!navigator.webdriver || hasWord('panel')) showPanel(panel)
}
