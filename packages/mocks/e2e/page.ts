import { startMocks } from '../src/browser.ts'

// The smallest page that runs on the mocks: it says when they answer, and what a gateway's window told it.
await startMocks()
addEventListener('message', ({ data }) => {
  document.body.dataset.told = JSON.stringify(data)
})
document.title = 'ready'
