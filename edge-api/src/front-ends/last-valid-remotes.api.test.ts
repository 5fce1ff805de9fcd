import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { makeSampler } from '@portal/fixtures/exhaustive'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { releasesFolder } from '../../../scripts/shipping/folder.mjs'
import { request, sharedPortal, staffToken } from '../../test/portal.ts'
import { type RunningPortal, startPortal } from '../../test/servers/portal-server.ts'

/* Tests a portal with its own releases folder, whose pointer is damaged while the portal runs and while it is down. */

// A worker's files come from a binding that the test server does not have.
describe.skipIf(sharedPortal().folder === '')('remotes.json', () => {
  let releases: string
  let data: string
  let portal: RunningPortal
  let good: string

  const start = async () => {
    portal = await startPortal({ FOLDER: data, RELEASES_FOLDER: releases, METRICS_TOKEN: 'x'.repeat(32) })
  }
  const overwritePointer = (text: string) => writeFile(path.join(releases, 'remotes.json'), text)
  const readServed = async () => {
    const response = await fetch(`${portal.url}/config/remotes.json`)
    return { status: response.status, text: await response.text() }
  }
  const fetchLandingStatus = async () => (await fetch(portal.url)).status
  const readGauge = async () => {
    const headers = { authorization: `Bearer ${'x'.repeat(32)}` }
    const text = await (await fetch(`${portal.url}/api/metrics`, { headers })).text()
    return /^portal_front_end_pointer_damaged (\d)/m.exec(text)?.[1]
  }

  beforeAll(async () => {
    releases = await mkdtemp(path.join(tmpdir(), 'portal-pointer-'))
    data = await mkdtemp(path.join(tmpdir(), 'portal-pointer-data-'))
    await cp(releasesFolder(), releases, { recursive: true })
    good = await readFile(path.join(releases, 'remotes.json'), 'utf8')
    await start()
  })
  afterAll(async () => {
    await portal?.stop()
    for (const folder of [releases, data]) await rm(folder, { recursive: true, force: true })
  })

  test('browsers get the last valid pointer, no matter where the write of a new one was cut off', async () => {
    expect(await readServed()).toEqual({ status: 200, text: good })
    expect(await readGauge()).toBe('0')
    const sampler = makeSampler(8)
    for (let length = 0; length < good.trimEnd().length; length += 1) {
      if (!sampler(length)) continue
      await overwritePointer(good.slice(0, length))
      const { status, text } = await readServed()
      if (status !== 200 || text !== good) throw new Error(`${length} characters: ${status} ${text}`)
    }
    expect(await readGauge()).toBe('1')
    expect(await fetchLandingStatus()).toBe(200)
  })

  test('an entry without hashes is not served, and staff see the reason', async () => {
    const config = JSON.parse(good)
    await overwritePointer(
      JSON.stringify({
        ...config,
        remotes: config.remotes.map(({ integrity: _, ...rest }: { integrity: unknown }) => rest),
      }),
    )
    expect(await readServed()).toEqual({ status: 200, text: good })
    const { body } = await request('GET', '/admin/system', {
      token: await staffToken('admin', portal),
      portal,
    })
    expect(body.releases_damage).toMatch(/^remotes\.0\.integrity: /)
  })

  test('after a restart with a damaged file, browsers get the last valid pointer until the file is valid again', {
    tags: ['SHIPPING-4'],
  }, async () => {
    await portal.stop()
    await overwritePointer('{"remotes":[]}')
    await start()
    expect(await readServed()).toEqual({ status: 200, text: good })
    expect(await readGauge()).toBe('1')
    await overwritePointer(good)
    expect(await readGauge()).toBe('0')
    expect(await readServed()).toEqual({ status: 200, text: good })
  })
})
