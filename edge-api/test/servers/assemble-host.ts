import { spawn } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { freePort } from '../../../scripts/lib/processes.mjs'
import { denoBinary, nodeBinary, root, run } from '../../../scripts/lib/setup.mjs'
import { end, waitUntilResponding } from './sqld-server.ts'

/** Runs `npm run assemble -- <host>` into a new folder. @param variables in addition to those of the caller */
export async function assemble(
  host: string,
  out: string,
  variables: Record<string, string> = {},
): Promise<void> {
  const code = await run(nodeBinary(), ['tools/assemble.mjs', host, '--out', out], {
    cwd: root,
    env: { ...process.env, ...variables },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  if (code !== 0) throw new Error(`assemble ${host} ended with ${code}`)
}

/**
 * Starts the output for Deno Deploy as that host does: with all permissions and the cron, from the entry point of its
 * configuration, on a port that the host chooses.
 */
export async function startDenoDeploy(out: string, variables: Record<string, string>) {
  const { deploy } = JSON.parse(await readFile(path.join(out, 'deno.json'), 'utf8'))
  const port = await freePort()
  const { entrypoint } = deploy.runtime
  const child = spawn(denoBinary(), ['run', '-A', '--no-remote', '--unstable-cron', entrypoint], {
    cwd: out,
    env: { ...process.env, ...variables, DENO_SERVE_ADDRESS: `tcp:127.0.0.1:${port}` },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  try {
    await waitUntilResponding(`http://127.0.0.1:${port}/api/health`, child)
  } catch (error) {
    await end(child)
    throw error
  }
  return { url: `http://localhost:${port}`, stop: () => end(child) }
}
