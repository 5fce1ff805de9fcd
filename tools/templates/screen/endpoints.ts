import { endpoint } from '@portal/api/endpoint'
import type { verification } from '@portal/contract/verification'

/* Calls without their schemas: zod weighs more than the screen. */
export const fee = endpoint<(typeof verification)['settings']>('GET', '/verification/settings')
