import type { Routes } from '@portal/contract/routes'
import { authHandlers } from './auth/handlers.ts'
import { certificateHandlers } from './certificates/handlers.ts'
import { healthHandlers } from './health/handlers.ts'
import { letterHandlers } from './letters/handlers.ts'
import { notificationHandlers } from './notifications/handlers.ts'
import type { HandlersOf } from './serve.ts'
import { feeHandlers } from './settings/handlers.ts'
import { userHandlers } from './users/handlers.ts'
import { verificationHandlers } from './verification/handlers.ts'

/** One handler for each entry of the contract. */
export const handlers: { [Domain in keyof Routes]: HandlersOf<Routes[Domain]> } = {
  auth: authHandlers,
  verification: verificationHandlers,
  letters: letterHandlers,
  adminCertificates: certificateHandlers,
  adminSettings: feeHandlers,
  adminUsers: userHandlers,
  notifications: notificationHandlers,
  health: healthHandlers,
}
