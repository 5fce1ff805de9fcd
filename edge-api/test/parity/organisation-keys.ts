import type { organisationKeys } from '@portal/contract/organisation-keys'
import type { CasesOf, MakeCall } from './cases.ts'
import { DEMO_PASSWORD, fresh, newTeam, type Team, teamCall } from './organisation-world.ts'
import type { RequestOptions, World } from './world.ts'

const test = { name: 'Payroll', mode: 'test', access: 'read' }
const liveKey = { name: 'Payroll', mode: 'live', access: 'write', current_password: DEMO_PASSWORD }

/** Creates an organisation that staff have vetted. */
async function createVettedTeam(world: World): Promise<Team> {
  const team = await newTeam(world)
  await world.callOk('POST', `/admin/organisations/${team.id}/vet`, { token: await world.superAdmin() })
  return team
}

async function teamWithKey(world: World) {
  const team = await newTeam(world)
  const path = `/organisations/${team.id}/keys`
  const { key } = await world.callOk('POST', path, { token: team.owner.token, body: test })
  return { ...team, path: `${path}/${key.id}` }
}

const withKey =
  (
    suffix: string,
    sent: RequestOptions = {},
    first?: (world: World, team: Awaited<ReturnType<typeof teamWithKey>>) => unknown,
  ): MakeCall =>
  async world => {
    const team = await teamWithKey(world)
    await first?.(world, team)
    return { token: team.owner.token, path: `${team.path}${suffix}`, ...sent }
  }

const revoked = (world: World, { owner, path }: Awaited<ReturnType<typeof teamWithKey>>) =>
  world.callOk('DELETE', path, { token: owner.token })

export const organisationKeyCases: CasesOf<typeof organisationKeys> = {
  list: {
    succeeds: async world => {
      const { owner, id } = await teamWithKey(world)
      return { token: owner.token, path: `/organisations/${id}/keys` }
    },
    also: { 'without keys': teamCall('/keys', {}, fresh) },
  },
  create: {
    succeeds: teamCall('/keys', { body: test }, fresh),
    also: {
      'a live one': teamCall('/keys', { body: { ...liveKey, expires_in_days: 30 } }, createVettedTeam),
    },
    refuses: {
      'a live one, without vetting': teamCall('/keys', { body: liveKey }, fresh),
      'a live one, without a password': teamCall(
        '/keys',
        { body: { ...liveKey, current_password: '' } },
        createVettedTeam,
      ),
      'a live one, with a wrong password': teamCall(
        '/keys',
        { body: { ...liveKey, current_password: 'Wrong12345!' } },
        createVettedTeam,
      ),
      'for 366 days': teamCall('/keys', { body: { ...test, expires_in_days: 366 } }),
      'a mode that does not exist': teamCall('/keys', { body: { ...test, mode: 'demo' } }),
      'an eleventh': async world => {
        const { owner, id } = await newTeam(world)
        const call = { token: owner.token, body: test }
        for (let team = 0; team < 10; team++) await world.callOk('POST', `/organisations/${id}/keys`, call)
        return { ...call, path: `/organisations/${id}/keys` }
      },
    },
  },
  revoke: { succeeds: withKey(''), refuses: { 'a second time': withKey('', {}, revoked) } },
  rotate: {
    succeeds: withKey('/rotate', { body: { grace_hours: 2 } }),
    also: {
      'at once': withKey('/rotate', { body: { grace_hours: 0 } }),
      'for a day': withKey('/rotate', { body: {} }),
    },
    refuses: {
      'a revoked one': withKey('/rotate', { body: {} }, revoked),
      'for 169 hours': withKey('/rotate', { body: { grace_hours: 169 } }),
    },
  },
}
