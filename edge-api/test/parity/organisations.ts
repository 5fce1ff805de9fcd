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

/** Creates an account with a pending invitation. @returns the token of the account and the ID of the invitation */
async function createInvitation(world: World, role = 'member') {
  const organisation = await newOrganisation(world)
  const person = await world.account()
  const { invitation } = await world.callOk('POST', `/organisations/${organisation.id}/invitations`, {
    token: organisation.owner.token,
    body: { email: person.email, role },
  })
  const link = await world.mailedToken('invitations', person.email)
  return { ...organisation, person, link, invitation: String(invitation.id) }
}

const asInvited =
  (path: (found: Awaited<ReturnType<typeof createInvitation>>) => string): MakeCall =>
  async world => {
    const found = await createInvitation(world)
    return { token: found.person.token, path: path(found) }
  }

export const accountAreaCases: CasesOf<typeof accountAreas> = {
  read: {
    succeeds: async world => ({ token: (await world.account()).token }),
    also: {
      'a member': async world => ({ token: (await sharedOrganisation(world)).owner.token }),
      'an invited person': asInvited(() => '/account/areas'),
      'a member of staff': callBy('admin'),
    },
  },
  accept: {
    succeeds: asInvited(({ invitation }) => `/account/invitations/${invitation}/accept`),
    refuses: {
      'an invitation of another address': async world => {
        const { invitation, owner } = await createInvitation(world)
        return { token: owner.token, path: `/account/invitations/${invitation}/accept` }
      },
    },
  },
  decline: { succeeds: asInvited(({ invitation }) => `/account/invitations/${invitation}/decline`) },
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
      'no address': async world => ({
        token: (await sharedOrganisation(world)).owner.token,
        body: profile({ address: undefined }),
      }),
      'an address without its parts': async world => ({
        token: (await sharedOrganisation(world)).owner.token,
        body: profile({ address: {} }),
      }),
      'an invalid website': async world => ({
        token: (await sharedOrganisation(world)).owner.token,
        body: profile({ website: 'example' }),
      }),
      'a fourth one': async world => {
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
      'another version': organisationCall('', { body: profile(), headers: { 'if-match': '"7"' } }),
      'a malformed version': organisationCall('', { body: profile(), headers: { 'if-match': 'x' } }),
    },
  },
  close: {
    succeeds: organisationCall('/close', { body: { current_password: DEMO_PASSWORD } }, newOrganisation),
    refuses: {
      'a wrong password': organisationCall('/close', { body: { current_password: 'Wrong12345!' } }),
      'another version': organisationCall('/close', {
        body: { current_password: DEMO_PASSWORD },
        headers: { 'if-match': '"7"' },
      }),
      'a closed one': async world => {
        const { owner, id } = await newOrganisation(world)
        const call = { token: owner.token, body: { current_password: DEMO_PASSWORD } }
        await world.callOk('POST', `/organisations/${id}/close`, call)
        return { ...call, path: `/organisations/${id}/close` }
      },
    },
  },
  activity: {
    succeeds: organisationCall('/activity'),
    also: { 'as a file': organisationCall('/activity', { headers: { accept: 'text/csv' } }) },
  },
}

/** Returns a call by the owner about a member with a role. */
const withMember =
  (role: string, call: (path: string) => { path: string; body?: unknown }): MakeCall =>
  async world => {
    const organisation = await newOrganisation(world)
    const person = await join(world, organisation, role)
    return {
      token: organisation.owner.token,
      ...call(`/organisations/${organisation.id}/members/${person.id}`),
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
      'of the last owner': async world => {
        const { owner, id } = await sharedOrganisation(world)
        return {
          token: owner.token,
          path: `/organisations/${id}/members/${owner.id}`,
          body: { role: 'member' },
        }
      },
      'to owner by a manager': async world => {
        const organisation = await newOrganisation(world)
        const manager = await join(world, organisation, 'manager')
        return {
          token: manager.token,
          path: `/organisations/${organisation.id}/members/${manager.id}`,
          body: { role: 'owner' },
        }
      },
      'of no member': organisationCall('/members/nobody', { body: { role: 'member' } }),
      'to a role that does not exist': organisationCall('/members/nobody', { body: { role: 'king' } }),
    },
  },
  remove: {
    succeeds: withMember('member', path => ({ path })),
    also: {
      oneself: async world => {
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
      'a member': organisationCall('/invitations', ({ owner }) => ({
        body: { email: owner.email, role: 'member' },
      })),
      'an owner by a manager': async world => {
        const organisation = await newOrganisation(world)
        const manager = await join(world, organisation, 'manager')
        return {
          token: manager.token,
          path: `/organisations/${organisation.id}/invitations`,
          body: { email: 'boss@parity-staffing.test', role: 'owner' },
        }
      },
      'no address': organisationCall('/invitations', { body: { email: 'x', role: 'member' } }),
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
    succeeds: async world => ({ path: `/invitations/${(await createInvitation(world)).link}` }),
    refuses: { 'a token of nothing': () => ({ path: '/invitations/nothing' }) },
  },
  accept: {
    succeeds: asInvited(({ link }) => `/invitations/${link}/accept`),
    refuses: {
      'with another address': async world => {
        const { link, owner } = await createInvitation(world)
        return { token: owner.token, path: `/invitations/${link}/accept` }
      },
      'a second time': async world => {
        const { link, person } = await createInvitation(world)
        await world.callOk('POST', `/invitations/${link}/accept`, { token: person.token })
        return { token: person.token, path: `/invitations/${link}/accept` }
      },
      'by staff': async world => {
        const { link } = await createInvitation(world)
        return { token: await world.admin(), path: `/invitations/${link}/accept` }
      },
    },
  },
  decline: { succeeds: asInvited(({ link }) => `/invitations/${link}/decline`) },
}
