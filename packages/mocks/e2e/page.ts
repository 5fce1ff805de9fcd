import { session } from '@portal/session/store'
import { startMocksWithPanel } from '../src/browser.ts'

// A minimal page with the mocks: shows when they answer, for whom, and the messages of the gateway's window.
await startMocksWithPanel()
addEventListener('message', ({ data }) => {
  document.body.dataset.told = JSON.stringify(data)
})
document.body.dataset.user = session.get().user?.email ?? 'nobody'
document.title = 'ready'
