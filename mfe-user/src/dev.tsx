// `npm run dev -w mfe-user`: this micro-frontend alone, the API answered by the mocks inside the page.
import { startStandalone } from '@portal/standalone/start'
import * as remote from './routes.tsx'

await startStandalone({ remote, mount: '/dashboard', persona: 'user' })
