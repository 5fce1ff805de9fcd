import { endpoint } from '@portal/api/endpoint'
import type { auth } from '@portal/contract/auth'
import type { verification } from '@portal/contract/verification'

export const profile = endpoint<typeof auth.profile>('GET', '/auth/profile')
export const logout = endpoint<typeof auth.logout>('POST', '/auth/logout')
export const settings = endpoint<typeof verification.settings>('GET', '/verification/settings')
