import type {
  accountAreas,
  invitations,
  organisationMembers,
  organisations,
} from '@portal/contract/organisations'
import { type CasesOf, callBy, type MakeCall } from './cases.ts'
import {
  DEMO_PASSWORD,
  join,
  newOrganisation,
  organisationCall,
  profile,
  sharedOrganisation,
} from './organisation-world.ts'
import type { World } from './world.ts'

/** Creates an account with a pending invitation. @returns also the organisation that invites it */
async function createInvitation(world: World, role = 'member') {
  const organisation = await newOrganisation(world)
  const person = await world.account()
  const { invitation } = await world.callOk('POST', `/organisations/${organisation.id}/invitations`, {
    token: organisation.owner.token,
    body: { email: person.email, role },
  })
  const invitationToken = await world.mailedToken('invitations', person.email)
  return { ...organisation, person, invitationToken, invitation: String(invitation.id) }
}

const callByInvitee =
  (path: (found: Awaited<ReturnType<typeof createInvitation>>) => string): MakeCall =>
  async world => {
    const found = await createInvitation(world)
    return { token: found.person.token, path: path(found) }
  }

export const accountAreaCases: CasesOf<typeof accountAreas> = {
  read: {
    succeeds: async world => ({ token: (await world.account()).token }),
    also: {
      'a member of an organisation': async world => ({
        token: (await sharedOrganisation(world)).owner.token,
      }),
      'an invited person': callByInvitee(() => '/account/areas'),
      'a member of staff': callBy('admin'),
    },
  },
  accept: {
    succeeds: callByInvitee(({ invitation }) => `/account/invitations/${invitation}/accept`),
    refuses: {
      'an invitation to another address': async world => {
        const { invitation, owner } = await createInvitation(world)
        return { token: owner.token, path: `/account/invitations/${invitation}/accept` }
      },
    },
  },
  decline: { succeeds: callByInvitee(({ invitation }) => `/account/invitations/${invitation}/decline`) },
}

export const organisationCases: CasesOf<typeof organisations> = {
  list: { succeeds: async world => ({ token: (await sharedOrganisation(world)).owner.token }) },
  create: {
    succeeds: async world => ({ token: (await world.account()).token, body: profile() }),
    refuses: {
      'a member of staff': callBy('admin', { body: profile() }),
      'a name of one letter': async world => ({
        token: (await sharedOrganisation(world)).owner.token,
        body: profile({ name: 'A' }),
      }),
      'without an address': async world => ({
        token: (await sharedOrganisation(world)).owner.token,
        body: profile({ address: undefined }),
      }),
      'an address without any lines': async world => ({
        token: (await sharedOrganisation(world)).owner.token,
        body: profile({ address: {} }),
      }),
      'an invalid website': async world => ({
        token: (await sharedOrganisation(world)).owner.token,
        body: profile({ website: 'example' }),
      }),
      'a fourth organisation': async world => {
        const owner = await world.account()
        for (let count = 0; count < 3; count++) await newOrganisation(world, owner)
        return { token: owner.token, body: profile() }
      },
    },
  },
  read: { succeeds: organisationCall('') },
  update: {
    succeeds: organisationCall('', { body: profile({ phone: '+2348105550198' }) }, newOrganisation),
    also: {
      'a new name': organisationCall('', { body: profile({ name: 'Renamed Limited' }) }, newOrganisation),
    },
    refuses: {
      'an outdated version': organisationCall('', { body: profile(), headers: { 'if-match': '"7"' } }),
      'a malformed version': organisationCall('', { body: profile(), headers: { 'if-match': 'x' } }),
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
      'a closed organisation': async world => {
        const { owner, id } = await newOrganisation(world)
        const call = { token: owner.token, body: { current_password: DEMO_PASSWORD } }
        await world.callOk('POST', `/organisations/${id}/close`, call)
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
  async world => {
    const organisation = await newOrganisation(world)
    const person = await join(world, organisation, role)
    return {
      token: organisation.owner.token,
      ...makeRequest(`/organisations/${organisation.id}/members/${person.id}`),
    }
  }

export const organisationMemberCases: CasesOf<typeof organisationMembers> = {
  list: {
    succeeds: async world => {
      const { id, owner } = await createInvitation(world)
      return { token: owner.token, path: `/organisations/${id}/members` }
    },
    also: {
      'by a member': async world => {
        const organisation = await newOrganisation(world)
        const person = await join(world, organisation, 'member')
        return { token: person.token, path: `/organisations/${organisation.id}/members` }
      },
    },
  },
  changeRole: {
    succeeds: withMember('member', path => ({ path, body: { role: 'finance' } })),
    refuses: {
      'the role of the last owner': async world => {
        const { owner, id } = await sharedOrganisation(world)
        return {
          token: owner.token,
          path: `/organisations/${id}/members/${owner.id}`,
          body: { role: 'member' },
        }
      },
      'a promotion to owner by a manager': async world => {
        const organisation = await newOrganisation(world)
        const manager = await join(world, organisation, 'manager')
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
      'a member who leaves': async world => {
        const organisation = await newOrganisation(world)
        const person = await join(world, organisation, 'finance')
        return { token: person.token, path: `/organisations/${organisation.id}/members/${person.id}` }
      },
    },
    refuses: {
      'the last owner': async world => {
        const { owner, id } = await sharedOrganisation(world)
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
      'an invitation as owner by a manager': async world => {
        const organisation = await newOrganisation(world)
        const manager = await join(world, organisation, 'manager')
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
    succeeds: async world => {
      const { id, owner, invitation } = await createInvitation(world)
      return { token: owner.token, path: `/organisations/${id}/invitations/${invitation}/resend` }
    },
  },
  revoke: {
    succeeds: async world => {
      const { id, owner, invitation } = await createInvitation(world)
      return { token: owner.token, path: `/organisations/${id}/invitations/${invitation}` }
    },
  },
}

export const invitationCases: CasesOf<typeof invitations> = {
  read: {
    succeeds: async world => ({ path: `/invitations/${(await createInvitation(world)).invitationToken}` }),
    refuses: { 'an unknown token': () => ({ path: '/invitations/nothing' }) },
  },
  accept: {
    succeeds: callByInvitee(({ invitationToken }) => `/invitations/${invitationToken}/accept`),
    refuses: {
      'an account with another address': async world => {
        const { invitationToken, owner } = await createInvitation(world)
        return { token: owner.token, path: `/invitations/${invitationToken}/accept` }
      },
      'an invitation that was already accepted': async world => {
        const { invitationToken, person } = await createInvitation(world)
        await world.callOk('POST', `/invitations/${invitationToken}/accept`, { token: person.token })
        return { token: person.token, path: `/invitations/${invitationToken}/accept` }
      },
      'a member of staff': async world => {
        const { invitationToken } = await createInvitation(world)
        return { token: await world.admin(), path: `/invitations/${invitationToken}/accept` }
      },
    },
  },
  decline: { succeeds: callByInvitee(({ invitationToken }) => `/invitations/${invitationToken}/decline`) },
}
