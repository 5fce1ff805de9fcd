import './federation/trusted-types.ts'
import '@portal/ui/styles.css'
import './starting.css'
import { BrowserRouter } from '@portal/router/browser'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { Pages } from './routes.tsx'

const root = document.getElementById('root')
if (!root) throw new Error('index.html has no #root')
// Only the demo is served below another path than the root, and sets it.
const { base = '/' } = document.documentElement.dataset
createRoot(root).render(
  <StrictMode>
    <BrowserRouter basename={base}>
      <Pages />
    </BrowserRouter>
  </StrictMode>,
)
