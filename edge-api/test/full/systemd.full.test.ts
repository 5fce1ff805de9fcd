import { execFileSync } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { root } from '../../../scripts/lib/setup.mjs'
import { assemble } from '../servers/assemble-host.ts'
import { isInstalled } from '../servers/reverse-proxy.ts'
import { canBootSystemd, runOnSystemd } from '../servers/systemd-machine.ts'
import { testSecrets } from '../servers/worker-server.ts'

/* Tests the units of deploy/server under systemd, installed with the commands of docs/operator.md. */

/** Returns the blocks of commands for the server. The page's first block is left out: it assembles the portal elsewhere. */
async function readServerCommands(): Promise<string[]> {
  const page = await readFile(path.join(root, 'docs/operator.md'), 'utf8')
  return Array.from(page.matchAll(/^```sh\n([\s\S]*?)^```$/gm), ([, block = '']) => block).slice(1)
}

const settings: Record<string, string> = {
  ...testSecrets,
  PAYMENT_PAYSTACK_SECRET_KEY: ['sk', 'live', '0123456789abcdef'].join('_'),
  SUPER_ADMIN_PASSWORD: 'Correct-horse-9',
  METRICS_TOKEN: 'x'.repeat(32),
}

/** Commands that fill in /etc/portal.env, as the page requires. */
const FILL_IN = [
  `sed -i -E '/^(${Object.keys(settings).join('|')})=/d' /etc/portal.env`,
  "cat >> /etc/portal.env << 'END'",
  ...Object.entries(settings).map(([name, value]) => `${name}='${value}'`),
  'END',
].join('\n')

const CALLERS = 4

/**
 * Returns a script that calls the portal without a pause while `work` runs, and prints how many calls failed.
 */
const buildLoadScript = (work: string) => `
for caller in $(seq ${CALLERS}); do
  while [ ! -e /tmp/stop-calls ]; do
    curl --fail --silent --output /dev/null http://127.0.0.1:8080/api/verification/settings && echo answered || echo failed
  done > /tmp/calls.$caller 2>/dev/null &
done
${work}
touch /tmp/stop-calls
wait
cat /tmp/calls.* | sort | uniq -c`

const READY_COMMAND =
  'curl --fail --silent --output /dev/null --max-time 60 http://127.0.0.1:8080/api/health/ready'
const MAIN_PID_COMMAND = 'systemctl show --property MainPID --value portal'

describe.skipIf(!canBootSystemd() || !isInstalled('curl'))('under systemd', () => {
  let folder: string
  let archive: Buffer
  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'portal-systemd-'))
    await assemble('server', path.join(folder, 'server'))
    const file = path.join(folder, 'portal.tar.gz')
    execFileSync('tar', ['-czf', file, '-C', path.join(folder, 'server'), '.'])
    archive = await readFile(file)
  })
  afterAll(() => rm(folder, { recursive: true, force: true }))

  /** Runs commands on a machine with systemd that has the archive of the portal. @returns their output */
  async function runOnMachine(steps: readonly string[]): Promise<string> {
    const script = ['cp /shared/portal.tar.gz /tmp/portal.tar.gz', 'set -x', ...steps].join('\n')
    return await runOnSystemd(script, { 'portal.tar.gz': archive })
  }

  test('operators can follow docs/operator.md', async () => {
    const [install = '', ...rest] = await readServerCommands()
    const output = await runOnMachine([
      install,
      'systemd-analyze verify /etc/systemd/system/portal.service /etc/systemd/system/portal.socket',
      FILL_IN,
      ...rest,
    ])
    expect(output).toMatch(/verified\./)
    expect(output).toContain('The activity log is intact')
  })

  test('fails no call during restarts, and restarts a killed portal without privileges', async () => {
    const [install = '', start = ''] = await readServerCommands()
    const output = await runOnMachine([
      install,
      FILL_IN,
      start,
      `before=$(${MAIN_PID_COMMAND})`,
      buildLoadScript(
        `systemctl restart portal\n${READY_COMMAND}\nsystemctl restart portal\n${READY_COMMAND}`,
      ),
      `[ "$before" != "$(${MAIN_PID_COMMAND})" ]`,
      'systemctl kill --signal KILL portal',
      READY_COMMAND,
      'systemctl show --property NRestarts portal',
      `ps -o user= -p $(${MAIN_PID_COMMAND})`,
      `cat /proc/$(${MAIN_PID_COMMAND})/status`,
    ])
    const [, answered] = /^ *(\d+) answered$/m.exec(output) ?? []
    expect(Number(answered)).toBeGreaterThan(CALLERS)
    expect(output).not.toMatch(/^ *\d+ failed$/m)
    expect(output).toContain('NRestarts=1')
    expect(output).toMatch(/^portal$/m)
    expect(output).toMatch(/^NoNewPrivs:\t1$/m)
    expect(output).toMatch(/^CapEff:\t0+$/m)
  })
})
