import { endpoint } from '@portal/api/endpoint'
import type { auth } from '@portal/contract/auth'

export const profile = endpoint<typeof auth.profile>('GET', '/auth/profile')
export const logout = endpoint<typeof auth.logout>('POST', '/auth/logout')
