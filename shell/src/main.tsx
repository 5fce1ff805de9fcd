import './federation/trusted-types.ts'
import '@portal/ui/styles.css'
import './starting.css'
import { BrowserRouter } from '@portal/router/browser'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { early } from './federation/early.ts'
import { preload } from './federation/remotes.ts'
import { OfflineNotice } from './offline-notice.tsx'
import { Pages } from './routes.tsx'

const root = document.getElementById('root')
if (!root) throw new Error('index.html has no #root')
early.notice?.()
// Only the demo is served below the root. It sets its path here.
const { base = '/' } = document.documentElement.dataset
const app = (
  <StrictMode>
    <BrowserRouter basename={base}>
      <Pages />
    </BrowserRouter>
  </StrictMode>
)
// Notices are rendered in a separate root, because static pages are rendered without them.
const notices = document.createElement('div')
document.body.prepend(notices)
createRoot(notices).render(<OfflineNotice />)

const draw = () => createRoot(root).render(app)
if (root.dataset.release === undefined) draw()
else {
  preload('mfe-public')
  // This code is loaded separately from the shell, because dashboards have no static page.
  import('./static-page.tsx').then(
    ({ activateStaticPage }) => activateStaticPage(app),
    () => {
      delete root.dataset.release
      draw()
    },
  )
}
