import '@portal/ui/styles.css'
import { applyTheme, onThemeChange, readTheme } from '@portal/ui/theme'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { Canvas } from './canvas.tsx'

applyTheme(readTheme())
// Subscribing also applies a theme that is chosen in the gallery's main page, which is another document.
onThemeChange(() => undefined)

const root = document.getElementById('root')
if (!root) throw new Error('index.html has no #root')
createRoot(root).render(
  <StrictMode>
    <Canvas />
  </StrictMode>,
)

// Make the frame as high as its content, unless a story opens over the page.
const { frameElement } = window
if (frameElement?.hasAttribute('data-fits'))
  new ResizeObserver(() =>
    frameElement.setAttribute('height', String(Math.ceil(root.getBoundingClientRect().height))),
  ).observe(root)
