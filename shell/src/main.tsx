import './federation/trusted-types.ts'
import '@portal/ui/styles.css'
import './starting.css'
import { BrowserRouter } from '@portal/router/browser'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { OfflineNotice } from './offline-notice.tsx'
import { Pages } from './routes.tsx'
import { takeOver } from './static-page.tsx'

const root = document.getElementById('root')
if (!root) throw new Error('index.html has no #root')
// Only the demo is served below another path than the root, and sets it.
const { base = '/' } = document.documentElement.dataset
const app = (
  <StrictMode>
    <BrowserRouter basename={base}>
      <Pages />
    </BrowserRouter>
  </StrictMode>
)
// In a place of its own, because static pages are rendered without it.
const notices = document.createElement('div')
document.body.prepend(notices)
createRoot(notices).render(<OfflineNotice />)

if (root.dataset.release === undefined) createRoot(root).render(app)
else void takeOver(root, app)
