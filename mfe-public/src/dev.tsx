// `npm run dev -w mfe-public`: this micro-frontend alone, the API answered by the mocks inside the page.
import '@portal/ui/styles.css'
import { startMocks } from '@portal/mocks/browser'
import { Alone } from '@portal/router/alone'
import { createRoot } from 'react-dom/client'
import * as remote from './routes.tsx'

const root = document.getElementById('root')
if (!root) throw new Error('index.html has no #root')
await startMocks({ panel: true })
createRoot(root).render(<Alone remote={remote} mount="/" />)
