import { onSignOut } from '@portal/session/store'
import { createQueryClient } from './query.ts'

/** The query cache of the portal. It is loaded with the first page that needs it and cleared with the session. */
export const cache = createQueryClient()

onSignOut(() => cache.clear())
