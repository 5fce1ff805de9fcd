import { endpoint } from '@portal/api/endpoint'
import type { adminAccountData } from '@portal/contract/account-data'
import type { adminUsers } from '@portal/contract/admin-users'
import type { secondFactor as secondFactorRoutes } from '@portal/contract/second-factor'

export const accounts = {
  resetAuthenticator: endpoint<typeof secondFactorRoutes.reset>(
    'POST',
    '/admin/users/{id}/reset-second-factor',
  ),
  list: endpoint<typeof adminUsers.list>('GET', '/admin/users'),
  read: endpoint<typeof adminUsers.read>('GET', '/admin/users/{id}'),
  history: endpoint<typeof adminUsers.history>('GET', '/admin/users/{id}/history'),
  activity: endpoint<typeof adminUsers.activity>('GET', '/admin/users/{id}/activity'),
  create: endpoint<typeof adminUsers.create>('POST', '/admin/users'),
  update: endpoint<typeof adminUsers.update>('PUT', '/admin/users/{id}'),
  toggleStatus: endpoint<typeof adminUsers.toggleStatus>('PUT', '/admin/users/{id}/toggle-status'),
  verifyEmail: endpoint<typeof adminUsers.verifyEmail>('PUT', '/admin/users/{id}/verify-email'),
  changeRole: endpoint<typeof adminUsers.changeRole>('PUT', '/admin/users/{id}/role'),
  resendVerification: endpoint<typeof adminUsers.resendVerification>(
    'POST',
    '/admin/users/{id}/resend-verification',
  ),
}

export const accountData = {
  read: endpoint<typeof adminAccountData.read>('GET', '/admin/users/{id}/data'),
  erasure: endpoint<typeof adminAccountData.erasure>('GET', '/admin/users/{id}/erasure'),
  requestErasure: endpoint<typeof adminAccountData.requestErasure>('POST', '/admin/users/{id}/erasure'),
  cancelErasure: endpoint<typeof adminAccountData.cancelErasure>('DELETE', '/admin/users/{id}/erasure'),
}
