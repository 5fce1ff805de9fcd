import '@portal/ui/styles.css'
import { applyTheme, readTheme } from '@portal/ui/theme'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { Workshop } from './workshop.tsx'

applyTheme(readTheme())
const root = document.getElementById('root')
if (!root) throw new Error('index.html has no #root')
createRoot(root).render(
  <StrictMode>
    <Workshop />
  </StrictMode>,
)
