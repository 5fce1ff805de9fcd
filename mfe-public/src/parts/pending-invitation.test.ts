import { expect, test } from 'vitest'
import { invitationPath, isInvitation } from './pending-invitation.ts'

test('accepts only invitations as pages to which a login may return', () => {
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
