import './federation/trusted-types.ts'
import '@portal/ui/styles.css'
import { BrowserRouter } from '@portal/router/browser'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { Pages } from './routes.tsx'

const root = document.getElementById('root')
if (!root) throw new Error('index.html has no #root')
createRoot(root).render(
  <StrictMode>
    <BrowserRouter>
      <Pages />
    </BrowserRouter>
  </StrictMode>,
)
