import { session } from '@portal/session/store'
import { startMocksWithPanel } from '../src/browser.ts'

// A minimal page with the mocks. It shows when they are ready, who is signed in, and the messages from the gateway's window.
let changes = 0
const showUser = () => {
  document.body.dataset.user = session.get().user?.email ?? 'nobody'
}
await startMocksWithPanel({
  onChange() {
    changes += 1
    document.body.dataset.changes = String(changes)
    showUser()
  },
})
addEventListener('message', ({ data }) => {
  document.body.dataset.told = JSON.stringify(data)
})
showUser()
document.title = 'ready'
