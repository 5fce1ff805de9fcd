import type { organisationKeys } from '@portal/contract/organisation-keys'
import type { CasesOf, MakeCall } from './cases.ts'
import type { ParityFixture, RequestOptions } from './fixture.ts'
import {
  DEMO_PASSWORD,
  newOrganisation,
  organisationCall,
  type TestOrganisation,
} from './organisation-fixture.ts'

const testKey = { name: 'Payroll', mode: 'test', access: 'read' }
const liveKey = { name: 'Payroll', mode: 'live', access: 'write', current_password: DEMO_PASSWORD }

/** Creates an organisation that staff have vetted. */
async function createVettedOrganisation(fixture: ParityFixture): Promise<TestOrganisation> {
  const organisation = await newOrganisation(fixture)
  await fixture.callOk('POST', `/admin/organisations/${organisation.id}/vet`, {
    token: await fixture.superAdmin(),
  })
  return organisation
}

async function createOrganisationWithKey(fixture: ParityFixture) {
  const organisation = await newOrganisation(fixture)
  const path = `/organisations/${organisation.id}/keys`
  const { key } = await fixture.callOk('POST', path, { token: organisation.owner.token, body: testKey })
  return { ...organisation, path: `${path}/${key.id}` }
}

const withKey =
  (
    suffix: string,
    options: RequestOptions = {},
    prepare?: (
      fixture: ParityFixture,
      organisation: Awaited<ReturnType<typeof createOrganisationWithKey>>,
    ) => unknown,
  ): MakeCall =>
  async fixture => {
    const organisation = await createOrganisationWithKey(fixture)
    await prepare?.(fixture, organisation)
    return { token: organisation.owner.token, path: `${organisation.path}${suffix}`, ...options }
  }

const revokeKey = (
  fixture: ParityFixture,
  { owner, path }: Awaited<ReturnType<typeof createOrganisationWithKey>>,
) => fixture.callOk('DELETE', path, { token: owner.token })

export const organisationKeyCases: CasesOf<typeof organisationKeys> = {
  list: {
    succeeds: async fixture => {
      const { owner, id } = await createOrganisationWithKey(fixture)
      return { token: owner.token, path: `/organisations/${id}/keys` }
    },
    also: { 'an organisation without keys': organisationCall('/keys', {}, newOrganisation) },
  },
  create: {
    succeeds: organisationCall('/keys', { body: testKey }, newOrganisation),
    also: {
      'a live key': organisationCall(
        '/keys',
        { body: { ...liveKey, expires_in_days: 30 } },
        createVettedOrganisation,
      ),
    },
    refuses: {
      'a live key of an organisation that is not vetted': organisationCall(
        '/keys',
        { body: liveKey },
        newOrganisation,
      ),
      'a live key without a password': organisationCall(
        '/keys',
        { body: { ...liveKey, current_password: '' } },
        createVettedOrganisation,
      ),
      'a live key with a wrong password': organisationCall(
        '/keys',
        { body: { ...liveKey, current_password: 'Wrong12345!' } },
        createVettedOrganisation,
      ),
      'a key that is valid for 366 days': organisationCall('/keys', {
        body: { ...testKey, expires_in_days: 366 },
      }),
      'a mode that does not exist': organisationCall('/keys', { body: { ...testKey, mode: 'demo' } }),
      'an eleventh key': async fixture => {
        const { owner, id } = await newOrganisation(fixture)
        const call = { token: owner.token, body: testKey }
        for (let count = 0; count < 10; count++)
          await fixture.callOk('POST', `/organisations/${id}/keys`, call)
        return { ...call, path: `/organisations/${id}/keys` }
      },
    },
  },
  revoke: { succeeds: withKey(''), refuses: { 'a key that is already revoked': withKey('', {}, revokeKey) } },
  rotate: {
    succeeds: withKey('/rotate', { body: { grace_hours: 2 } }),
    also: {
      'without a grace period': withKey('/rotate', { body: { grace_hours: 0 } }),
      'with the default grace period': withKey('/rotate', { body: {} }),
    },
    refuses: {
      'a revoked key': withKey('/rotate', { body: {} }, revokeKey),
      'a grace period of 169 hours': withKey('/rotate', { body: { grace_hours: 169 } }),
    },
  },
}
