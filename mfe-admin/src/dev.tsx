// `npm run dev -w mfe-admin`: runs this micro-frontend standalone, with the API mocked in the page.
import { standAlone } from '@portal/alone/stand-alone'
import * as remote from './routes.tsx'

await standAlone({ remote, mount: '/dashboard', persona: 'admin' })
