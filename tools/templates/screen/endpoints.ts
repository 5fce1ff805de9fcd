import { endpoint } from '@portal/api/endpoint'
import type { verification } from '@portal/contract/verification'

/* Calls without schemas, because zod is larger than the screen. */
export const fee = endpoint<(typeof verification)['settings']>('GET', '/verification/settings')
