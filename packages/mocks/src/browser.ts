import { signOut } from '@portal/session/store'
import { delay, http } from 'msw'
import { setupWorker } from 'msw/browser'
import { createHandlers } from './handlers.ts'
import { type GatewayOutcome, gatewayOutcomes, settle } from './settle.ts'
import { browserStore, type Store } from './state.ts'

/** Raise the number when the state's shape or the fixtures change: older data is then no longer read. */
const KEY = 'portal-mocks-6'
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

/**
 * Answers the API inside the page, so that a micro-frontend runs alone. The page's origin must serve
 * `mockServiceWorker.js` and `mock-gateway.html` (both in this package's `public/`) at its root. The state is kept
 * in local storage; `?mocks=reset` in the address starts it anew and ends the session.
 */
export async function startMocks(): Promise<void> {
  if (new URLSearchParams(location.search).get('mocks') === 'reset') localStorage.removeItem(KEY)
  // A session that is still stored belongs to a state that is gone.
  if (localStorage.getItem(KEY) === null) signOut()
  const store = announceMails(browserStore(localStorage, KEY))
  store.write(store.read())
  listenToGateway(store)
  // A little slower than memory, so that busy and loading states can be seen; answers come from the next handler.
  const pause = http.all('*/api/*', async () => {
    await delay(150)
  })
  await setupWorker(pause, ...createHandlers(store)).start({ onUnhandledFrame: 'bypass', quiet: true })
}
