import type { auth } from '@portal/contract/auth'
import type { HandlersOf } from '../http/serve.ts'
import { changePassword, checkResetToken, forgotPassword, resetPassword } from './password-change.ts'
import { changeProfile, showProfile } from './profile.ts'
import { register, resendVerification, verifyEmail } from './registration.ts'
import { login, logout } from './sign-in.ts'

export const authHandlers: HandlersOf<typeof auth> = {
  register,
  login,
  logout,
  forgotPassword,
  checkResetToken,
  resetPassword,
  verifyEmail,
  resendVerification,
  profile: showProfile,
  updateProfile: changeProfile,
  changePassword,
}
