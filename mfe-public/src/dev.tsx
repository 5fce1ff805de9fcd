// `npm run dev -w mfe-public`: runs this micro-frontend standalone, with the API mocked in the page.
import { startStandalone } from '@portal/standalone/start'
import * as remote from './routes.tsx'

await startStandalone({ remote, mount: '/' })
