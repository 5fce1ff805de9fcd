import { session } from '@portal/session/store'
import { startMocksWithPanel } from '../src/browser.ts'

// The smallest page that runs on the mocks: it says when they answer, for whom, and what a gateway's window told it.
await startMocksWithPanel()
addEventListener('message', ({ data }) => {
  document.body.dataset.told = JSON.stringify(data)
})
document.body.dataset.user = session.get().user?.email ?? 'nobody'
document.title = 'ready'
