import './zod-setup.ts'
import * as z from 'zod'
import * as field from './fields.ts'
import { route } from './route.ts'
import { message, profileUser, sessionUser, timestamp } from './shapes.ts'

/** Body of a registration. The form's `confirmPassword` is not part of it and is never sent. */
export const registration = z.object({
  firstname: field.firstname(),
  middlename: field.middlename(),
  lastname: field.lastname(),
  email: field.email(),
  phone: field.phone(),
  address: field.address(),
  password: field.newPassword(),
})

export const credentials = z.object({
  email: field.email(),
  password: field.password(),
  /** Authenticator code or recovery code; the server asks for it once the password is correct. */
  code: z.string().trim().max(40).optional(),
})

export const emailOnly = z.object({ email: field.email('Email address is required') })

export const profile = z.object({
  firstname: field.firstname(),
  middlename: field.middlename(),
  lastname: field.lastname(),
  phone: field.phone(),
  address: field.address(),
})

export const passwordReset = z.object({ password: field.newPassword() })

export const passwordChange = z.object({
  current_password: field.password('Current password is required'),
  new_password: field.newPassword('New password is required'),
})

// Link tokens are opaque; only their length is validated, so that every wrong token fails in the same way.
const tokenParam = z.object({ token: z.string().max(200) })

export const auth = {
  register: route({
    method: 'POST',
    path: '/auth/register',
    access: 'public',
    summary: 'Create an account. The response is the same for new and known addresses.',
    body: registration,
    reply: message,
    status: 201,
  }),
  login: route({
    method: 'POST',
    path: '/auth/login',
    access: 'public',
    summary: 'Start a session.',
    body: credentials,
    reply: z.object({ token: z.string(), user: sessionUser, expires_at: timestamp }),
    refusals: [
      'INVALID_CREDENTIALS',
      'SECOND_FACTOR_REQUIRED',
      'INVALID_SECOND_FACTOR',
      'EMAIL_NOT_VERIFIED',
      'ACCOUNT_DISABLED',
    ],
  }),
  logout: route({
    method: 'POST',
    path: '/auth/logout',
    access: 'user',
    summary: 'End this session immediately.',
    reply: message,
  }),
  forgotPassword: route({
    method: 'POST',
    path: '/auth/forgot-password',
    access: 'public',
    summary: 'Email a password reset link. The response is the same for known and unknown addresses.',
    body: emailOnly,
    reply: message,
  }),
  checkResetToken: route({
    method: 'GET',
    path: '/auth/reset-password/{token}',
    access: 'public',
    summary: 'Check whether a password reset link or an invitation is still valid.',
    params: tokenParam,
    reply: message.extend({ invited: z.boolean().describe('The account has no password yet.') }),
    refusals: ['INVALID_RESET_TOKEN', 'EXPIRED_RESET_TOKEN'],
  }),
  resetPassword: route({
    method: 'POST',
    path: '/auth/reset-password/{token}',
    access: 'public',
    summary: 'Choose a password with a reset link or an invitation; ends every session of the account.',
    params: tokenParam,
    body: passwordReset,
    reply: message,
    refusals: ['INVALID_RESET_TOKEN', 'EXPIRED_RESET_TOKEN'],
  }),
  verifyEmail: route({
    method: 'GET',
    path: '/auth/verify-email/{token}',
    access: 'public',
    summary: 'Verify an email address with the emailed link.',
    params: tokenParam,
    reply: message,
    refusals: ['FORBIDDEN', 'INVALID_VERIFICATION_TOKEN', 'EXPIRED_VERIFICATION_TOKEN'],
  }),
  resendVerification: route({
    method: 'POST',
    path: '/auth/resend-verification',
    access: 'public',
    summary: 'Email the verification link again. The response is the same for known and unknown addresses.',
    body: emailOnly,
    reply: message,
  }),
  profile: route({
    method: 'GET',
    path: '/auth/profile',
    access: 'user',
    summary: 'The signed-in account.',
    reply: z.object({ user: profileUser }),
    record: 'user',
  }),
  updateProfile: route({
    method: 'PUT',
    path: '/auth/profile',
    access: 'user',
    summary: 'Change name, phone and address. The email address and role cannot be changed here.',
    body: profile,
    reply: z.object({ message: z.string(), user: profileUser }),
    ifMatch: true,
    record: 'user',
  }),
  changePassword: route({
    method: 'POST',
    path: '/auth/change-password',
    access: 'user',
    summary: 'Change the password; ends every other session of the account.',
    body: passwordChange,
    reply: message,
  }),
}
