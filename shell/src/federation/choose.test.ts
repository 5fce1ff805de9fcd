import { canaryMark } from '@portal/contract/canary'
import { session, useSession } from '@portal/session/store'
import { beforeEach, expect, it, vi } from 'vitest'
import { releaseFor } from './choose.ts'

const pointer = (name: string, percent: number, accounts: string[] = []) => ({
  name,
  release: 'r1',
  manifest: `/r/${name}/r1/mf-manifest.json`,
  canary: { release: 'r2', manifest: `/r/${name}/r2/mf-manifest.json`, percent, accounts },
})
const user = {
  id: '4b1f8e0e-7d8a-4a51-9f0e-2f5f0e9f1a11',
  firstname: 'A',
  lastname: 'B',
  email: 'a@users.test',
  role: 'admin',
}
const chooseRelease = async (...releases: Parameters<typeof pointer>) =>
  (await releaseFor(pointer(...releases))).release

beforeEach(() => {
  vi.unstubAllGlobals()
  vi.stubGlobal('isSecureContext', true)
  vi.stubGlobal('document', { cookie: '' })
  useSession.setState({ token: undefined, user: undefined })
})

it('without a canary, everyone gets the same release', async () => {
  const { canary: _, ...live } = pointer('mfe-admin', 100)
  expect((await releaseFor(live)).release).toBe('r1')
})

it('accounts are chosen by ID or by name, and no one is chosen while logged out', async () => {
  expect(await chooseRelease('mfe-admin', 100)).toBe('r1')
  useSession.setState({ token: 't', user })
  expect(session.get().user?.id).toBe(user.id)
  expect(await chooseRelease('mfe-admin', 100)).toBe('r2')
  expect(await chooseRelease('mfe-admin', 0)).toBe('r1')
  expect(await chooseRelease('mfe-admin', 0, [await canaryMark('r2', user.id)])).toBe('r2')
  vi.stubGlobal('isSecureContext', false)
  expect(await chooseRelease('mfe-admin', 100)).toBe('r1')
})

it('browsers are chosen by the number that the server gave them, whether or not someone is logged in', async () => {
  vi.stubGlobal('document', { cookie: 'theme=dark; portal-part=42.5' })
  expect([await chooseRelease('mfe-public', 42), await chooseRelease('mfe-public', 43)]).toEqual(['r1', 'r2'])
  useSession.setState({ token: 't', user })
  expect([await chooseRelease('mfe-public', 42), await chooseRelease('mfe-public', 43)]).toEqual(['r1', 'r2'])
})

it('a browser without cookies always gets the live release', async () => {
  expect(await chooseRelease('mfe-public', 99)).toBe('r1')
})
