// `npm run dev -w mfe-sample-area`: this micro-frontend alone, the API answered by the mocks inside the page.
import { standAlone } from '@portal/alone/stand-alone'
import * as remote from './routes.tsx'

await standAlone({ remote, mount: '/dashboard/sample-area', persona: 'user' })
