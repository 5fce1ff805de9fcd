import { spawn, spawnSync } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'

/* Starts a machine with a real systemd, in separate namespaces. Nothing that happens inside it affects this machine. */

const NAMESPACES = ['--mount', '--pid', '--fork', '--uts', '--ipc', '--net', '--cgroup']
const SYSTEMD = '/lib/systemd/systemd'

/** Returns whether such a machine can be started here; if not, reports which check was skipped. */
export function canBootSystemd(): boolean {
  const isAvailable =
    spawnSync('unshare', [...NAMESPACES, 'test', '-x', SYSTEMD], { stdio: 'ignore' }).status === 0
  if (!isAvailable)
    console.warn('SKIPPED: the units were not tried under systemd: it needs root, unshare and systemd')
  return isAvailable
}

const UNITS = {
  'test.target': '[Unit]\nRequires=systemd-journald.service test.service\n',
  // The unit has none of the usual dependencies, so no complete boot is needed.
  'test.service': `[Unit]
After=systemd-journald.service
[Service]
Type=oneshot
ExecStart=/bin/sh -ec "{ sh -e /shared/script; echo $? > /shared/code; } > /shared/output 2>&1"
ExecStopPost=/bin/systemctl --no-block exit
TimeoutStartSec=infinity
`,
}

/**
 * Runs a script as root on a machine with systemd.
 * @param files to put into the machine's folder `/shared`, by name
 * @returns its output.
 * @throws if it fails
 */
export async function runOnSystemd(script: string, files: Record<string, Buffer>): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'portal-machine-'))
  try {
    await mkdir(path.join(folder, 'unit'))
    for (const [name, text] of Object.entries(UNITS)) await writeFile(path.join(folder, 'unit', name), text)
    for (const [name, bytes] of Object.entries(files)) await writeFile(path.join(folder, name), bytes)
    await writeFile(path.join(folder, 'script'), script)
    const boot = [path.join(import.meta.dirname, 'systemd-machine.sh'), folder]
    const child = spawn('sh', boot, { stdio: ['ignore', 'ignore', 'inherit'] })
    await new Promise(resolve => child.once('close', resolve))
    const read = (name: string) => readFile(path.join(folder, name), 'utf8').catch(() => '')
    const [code, output] = [await read('code'), await read('output')]
    if (code.trim() !== '0') throw new Error(`the script ended with ${code.trim() || 'no code'}:\n${output}`)
    return output
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
