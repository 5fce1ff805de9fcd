import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { readEnvironment, variableNames } from '../edge-api/src/environment.ts'
import { checkProxy, isInstalled, proxies } from '../edge-api/test/servers/reverse-proxy.ts'
import { testSecrets } from '../edge-api/test/servers/worker-server.ts'
import { root } from '../scripts/lib/setup.mjs'

/* Tests the files of deploy/ with the programs that read them. edge-api/test/full runs nginx and Caddy in front of a portal. */

describe.each(proxies)('%s', name => {
  const isAvailable = isInstalled(name, name === 'nginx' ? 'nginx-light' : name) && isInstalled('openssl')
  test.skipIf(!isAvailable)('accepts its configuration in deploy/', async () => {
    const { code, output } = await checkProxy(name)
    expect(output).not.toMatch(/\[(error|emerg)\]/)
    expect(code, output).toBe(0)
  })
})

const CHECKS = [
  ['promtool', 'prometheus', ['test', 'rules', 'deploy/prometheus/portal.rules.test.yml']],
  ['promtool', 'prometheus', ['check', 'config', '--syntax-only', 'deploy/prometheus/prometheus.yml']],
  ['shellcheck', 'shellcheck', ['deploy/server/portal', 'deploy/container/build.sh']],
] as const

for (const [program, debianPackage, args] of CHECKS)
  test.skipIf(!isInstalled(program, debianPackage))(`${program} accepts ${args.at(-1)}`, () => {
    const { status, stdout, stderr } = spawnSync(program, args, { cwd: root, encoding: 'utf8' })
    expect(status, `${stdout}${stderr}`).toBe(0)
  })

describe('containers', () => {
  const composer = 'docker-compose'

  test.skipIf(!isInstalled(composer))('docker-compose accepts compose.yaml', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'portal-compose-'))
    try {
      await cp(path.join(root, 'deploy/container'), folder, { recursive: true })
      for (const file of ['portal.env', 'metrics-token']) await writeFile(path.join(folder, file), '')
      const args = ['--profile', 'trial', '-f', path.join(folder, 'compose.yaml'), 'config', '--services']
      const { status, stdout, stderr } = spawnSync(composer, args, { encoding: 'utf8' })
      expect(status, stderr).toBe(0)
      const expected = 'api-1 api-2 caddy grafana mailpit primary prometheus replica sandbox'
      expect(stdout.trim().split('\n').toSorted().join(' ')).toBe(expected)
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  })

  test('a portal starts with the variables in trial.env.example once they are filled in', () => {
    const text = readFileSync(path.join(root, 'deploy/container/trial.env.example'), 'utf8')
    const secrets: Record<string, string> = testSecrets
    const variables = Object.fromEntries(
      [...text.matchAll(/^(\w+)=(.*)$/gm)].map(([, name = '', value]) => [name, value || secrets[name]]),
    )
    expect(Object.keys(variables).filter(name => !variableNames.includes(name))).toEqual([])
    const filled = { ...variables, METRICS_TOKEN: 'x'.repeat(32), DATABASE_URL: 'http://primary:8080' }
    expect(readEnvironment(filled, { hasDisk: true })).toMatchObject({ SEED: 'demo' })
  })
})
