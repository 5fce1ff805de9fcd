import { expect, test } from 'vitest'
import { invitationPath, isInvitation } from './pending-invitation.ts'

test('a login leads back to an invitation, but to no other address', () => {
  expect(isInvitation(invitationPath('A-b_0'))).toBe(true)
  for (const other of [
    '/invitations/',
    '/invitations/a/b',
    '//evil.example',
    '/invitations/a?x=//b',
    '/letters',
  ])
    expect(isInvitation(other), other).toBe(false)
})
