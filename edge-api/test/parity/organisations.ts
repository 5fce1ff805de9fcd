import type {
  accountAreas,
  invitations,
  organisationMembers,
  organisations,
} from '@portal/contract/organisations'
import { type CasesOf, callBy, type MakeCall } from './cases.ts'
import type { ParityFixture } from './fixture.ts'
import {
  addMember,
  DEMO_PASSWORD,
  makeProfile,
  newOrganisation,
  organisationCall,
  sharedOrganisation,
} from './organisation-fixture.ts'

/** Creates an organisation, and an account with a pending invitation to it. */
async function createInvitation(fixture: ParityFixture, role = 'member') {
  const organisation = await newOrganisation(fixture)
  const person = await fixture.account()
  const { invitation } = await fixture.callOk('POST', `/organisations/${organisation.id}/invitations`, {
    token: organisation.owner.token,
    body: { email: person.email, role },
  })
  const invitationToken = await fixture.waitForMailedToken('invitations', person.email)
  return { ...organisation, person, invitationToken, invitation: String(invitation.id) }
}

const callByInvitee =
  (path: (found: Awaited<ReturnType<typeof createInvitation>>) => string): MakeCall =>
  async fixture => {
    const found = await createInvitation(fixture)
    return { token: found.person.token, path: path(found) }
  }

export const accountAreaCases: CasesOf<typeof accountAreas> = {
  read: {
    succeeds: async fixture => ({ token: (await fixture.account()).token }),
    also: {
      'a member of an organisation': async fixture => ({
        token: (await sharedOrganisation(fixture)).owner.token,
      }),
      'an invited person': callByInvitee(() => '/account/areas'),
      'a member of staff': callBy('admin'),
    },
  },
  accept: {
    succeeds: callByInvitee(({ invitation }) => `/account/invitations/${invitation}/accept`),
    refuses: {
      'an invitation to another address': async fixture => {
        const { invitation, owner } = await createInvitation(fixture)
        return { token: owner.token, path: `/account/invitations/${invitation}/accept` }
      },
    },
  },
  decline: { succeeds: callByInvitee(({ invitation }) => `/account/invitations/${invitation}/decline`) },
}

export const organisationCases: CasesOf<typeof organisations> = {
  list: { succeeds: async fixture => ({ token: (await sharedOrganisation(fixture)).owner.token }) },
  create: {
    succeeds: async fixture => ({ token: (await fixture.account()).token, body: makeProfile() }),
    refuses: {
      'a member of staff': callBy('admin', { body: makeProfile() }),
      'a name of one letter': async fixture => ({
        token: (await sharedOrganisation(fixture)).owner.token,
        body: makeProfile({ name: 'A' }),
      }),
      'without an address': async fixture => ({
        token: (await sharedOrganisation(fixture)).owner.token,
        body: makeProfile({ address: undefined }),
      }),
      'an address without any lines': async fixture => ({
        token: (await sharedOrganisation(fixture)).owner.token,
        body: makeProfile({ address: {} }),
      }),
      'an invalid website': async fixture => ({
        token: (await sharedOrganisation(fixture)).owner.token,
        body: makeProfile({ website: 'example' }),
      }),
      'a fourth organisation': async fixture => {
        const owner = await fixture.account()
        for (let count = 0; count < 3; count++) await newOrganisation(fixture, owner)
        return { token: owner.token, body: makeProfile() }
      },
    },
  },
  read: { succeeds: organisationCall('') },
  update: {
    succeeds: organisationCall('', { body: makeProfile({ phone: '+2348105550198' }) }, newOrganisation),
    also: {
      'a new name': organisationCall('', { body: makeProfile({ name: 'Renamed Limited' }) }, newOrganisation),
    },
    refuses: {
      'an outdated version': organisationCall('', { body: makeProfile(), headers: { 'if-match': '"7"' } }),
      'a malformed version': organisationCall('', { body: makeProfile(), headers: { 'if-match': 'x' } }),
    },
  },
  close: {
    succeeds: organisationCall('/close', { body: { current_password: DEMO_PASSWORD } }, newOrganisation),
    refuses: {
      'a wrong password': organisationCall('/close', { body: { current_password: 'Wrong12345!' } }),
      'an outdated version': organisationCall('/close', {
        body: { current_password: DEMO_PASSWORD },
        headers: { 'if-match': '"7"' },
      }),
      'a closed organisation': async fixture => {
        const { owner, id } = await newOrganisation(fixture)
        const call = { token: owner.token, body: { current_password: DEMO_PASSWORD } }
        await fixture.callOk('POST', `/organisations/${id}/close`, call)
        return { ...call, path: `/organisations/${id}/close` }
      },
    },
  },
  activity: {
    succeeds: organisationCall('/activity'),
    also: { 'as a CSV file': organisationCall('/activity', { headers: { accept: 'text/csv' } }) },
  },
}

/** Returns a call by the owner about a member with a role. */
const withMember =
  (role: string, makeRequest: (path: string) => { path: string; body?: unknown }): MakeCall =>
  async fixture => {
    const organisation = await newOrganisation(fixture)
    const person = await addMember(fixture, organisation, role)
    return {
      token: organisation.owner.token,
      ...makeRequest(`/organisations/${organisation.id}/members/${person.id}`),
    }
  }

export const organisationMemberCases: CasesOf<typeof organisationMembers> = {
  list: {
    succeeds: async fixture => {
      const { id, owner } = await createInvitation(fixture)
      return { token: owner.token, path: `/organisations/${id}/members` }
    },
    also: {
      'by a member': async fixture => {
        const organisation = await newOrganisation(fixture)
        const person = await addMember(fixture, organisation, 'member')
        return { token: person.token, path: `/organisations/${organisation.id}/members` }
      },
    },
  },
  changeRole: {
    succeeds: withMember('member', path => ({ path, body: { role: 'finance' } })),
    refuses: {
      'the role of the last owner': async fixture => {
        const { owner, id } = await sharedOrganisation(fixture)
        return {
          token: owner.token,
          path: `/organisations/${id}/members/${owner.id}`,
          body: { role: 'member' },
        }
      },
      'a promotion to owner by a manager': async fixture => {
        const organisation = await newOrganisation(fixture)
        const manager = await addMember(fixture, organisation, 'manager')
        return {
          token: manager.token,
          path: `/organisations/${organisation.id}/members/${manager.id}`,
          body: { role: 'owner' },
        }
      },
      'a member that does not exist': organisationCall('/members/nobody', { body: { role: 'member' } }),
      'a role that does not exist': organisationCall('/members/nobody', { body: { role: 'king' } }),
    },
  },
  remove: {
    succeeds: withMember('member', path => ({ path })),
    also: {
      'a member who leaves': async fixture => {
        const organisation = await newOrganisation(fixture)
        const person = await addMember(fixture, organisation, 'finance')
        return { token: person.token, path: `/organisations/${organisation.id}/members/${person.id}` }
      },
    },
    refuses: {
      'the last owner': async fixture => {
        const { owner, id } = await sharedOrganisation(fixture)
        return { token: owner.token, path: `/organisations/${id}/members/${owner.id}` }
      },
    },
  },
  invite: {
    succeeds: organisationCall(
      '/invitations',
      { body: { email: 'new@parity-staffing.test', role: 'member' } },
      newOrganisation,
    ),
    refuses: {
      'an existing member': organisationCall('/invitations', ({ owner }) => ({
        body: { email: owner.email, role: 'member' },
      })),
      'an invitation as owner by a manager': async fixture => {
        const organisation = await newOrganisation(fixture)
        const manager = await addMember(fixture, organisation, 'manager')
        return {
          token: manager.token,
          path: `/organisations/${organisation.id}/invitations`,
          body: { email: 'boss@parity-staffing.test', role: 'owner' },
        }
      },
      'an invalid email address': organisationCall('/invitations', { body: { email: 'x', role: 'member' } }),
    },
  },
  resend: {
    succeeds: async fixture => {
      const { id, owner, invitation } = await createInvitation(fixture)
      return { token: owner.token, path: `/organisations/${id}/invitations/${invitation}/resend` }
    },
  },
  revoke: {
    succeeds: async fixture => {
      const { id, owner, invitation } = await createInvitation(fixture)
      return { token: owner.token, path: `/organisations/${id}/invitations/${invitation}` }
    },
  },
}

export const invitationCases: CasesOf<typeof invitations> = {
  read: {
    succeeds: async fixture => ({
      path: `/invitations/${(await createInvitation(fixture)).invitationToken}`,
    }),
    refuses: { 'an unknown token': () => ({ path: '/invitations/nothing' }) },
  },
  accept: {
    succeeds: callByInvitee(({ invitationToken }) => `/invitations/${invitationToken}/accept`),
    refuses: {
      'an account with another address': async fixture => {
        const { invitationToken, owner } = await createInvitation(fixture)
        return { token: owner.token, path: `/invitations/${invitationToken}/accept` }
      },
      'an invitation that was already accepted': async fixture => {
        const { invitationToken, person } = await createInvitation(fixture)
        await fixture.callOk('POST', `/invitations/${invitationToken}/accept`, { token: person.token })
        return { token: person.token, path: `/invitations/${invitationToken}/accept` }
      },
      'a member of staff': async fixture => {
        const { invitationToken } = await createInvitation(fixture)
        return { token: await fixture.admin(), path: `/invitations/${invitationToken}/accept` }
      },
    },
  },
  decline: { succeeds: callByInvitee(({ invitationToken }) => `/invitations/${invitationToken}/decline`) },
}
