// `npm run dev -w mfe-sample-area` runs this micro-frontend standalone on mocks.
import { startStandalone } from '@portal/standalone/start'
import * as remote from './routes.tsx'

await startStandalone({ remote, mount: '/dashboard/sample-area', persona: 'user' })
