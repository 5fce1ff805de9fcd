import { endpoint } from '@portal/api/endpoint'
import type { auth } from '@portal/contract/auth'
import type { letters } from '@portal/contract/letter'
import type { letterFiles } from '@portal/contract/letter-files'
import type { invitations } from '@portal/contract/organisations'
import type { verification } from '@portal/contract/verification'

/* Endpoints of pages that do not validate forms, without schemas, so that these pages do not load zod. */

export const publicPaymentStatus = endpoint<typeof verification.publicPaymentStatus>(
  'GET',
  '/verification/public/payment-status/{id}',
)
export const checkLetter = endpoint<typeof letters.check>('GET', '/letters/{code}')
export const checkFile = endpoint<typeof letterFiles.checkFile>('POST', '/letters/check-file')
export const verifyEmail = endpoint<typeof auth.verifyEmail>('GET', '/auth/verify-email/{token}')
export const checkResetToken = endpoint<typeof auth.checkResetToken>('GET', '/auth/reset-password/{token}')
export const invitation = endpoint<typeof invitations.read>('GET', '/invitations/{token}')
export const acceptInvitation = endpoint<typeof invitations.accept>('POST', '/invitations/{token}/accept')
export const declineInvitation = endpoint<typeof invitations.decline>('POST', '/invitations/{token}/decline')
