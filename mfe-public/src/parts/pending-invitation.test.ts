import { expect, test } from 'vitest'
import { invitationPath, isInvitationPath } from './pending-invitation.ts'

test('accepts only the path of an invitation as a page to return to after login', () => {
  expect(isInvitationPath(invitationPath('A-b_0'))).toBe(true)
  for (const path of [
    '/invitations/',
    '/invitations/a/b',
    '//evil.example',
    '/invitations/a?x=//b',
    '/letters',
  ])
    expect(isInvitationPath(path), path).toBe(false)
})
