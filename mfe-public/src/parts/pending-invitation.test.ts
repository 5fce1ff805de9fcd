import { expect, test } from 'vitest'
import { invitationPath, isInvitationPath } from './pending-invitation.ts'

test('accepts only invitations as pages to which a login may return', () => {
  expect(isInvitationPath(invitationPath('A-b_0'))).toBe(true)
  for (const other of [
    '/invitations/',
    '/invitations/a/b',
    '//evil.example',
    '/invitations/a?x=//b',
    '/letters',
  ])
    expect(isInvitationPath(other), other).toBe(false)
})
