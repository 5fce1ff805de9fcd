import { onSignOut } from '@portal/session/store'
import { createQueryClient } from './query.ts'

/** The portal's query cache. It is loaded with the first page that needs it and cleared on sign-out. */
export const cache = createQueryClient()

onSignOut(() => cache.clear())
