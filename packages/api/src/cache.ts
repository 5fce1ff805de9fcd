import { onSignOut } from '@portal/session/store'
import { createQueryClient } from './query.ts'

/** The cache of the whole portal. Loaded with the first page that asks for it; nothing in it outlives a session. */
export const cache = createQueryClient()

onSignOut(() => cache.clear())
