import { execFile, spawn } from 'node:child_process'
import path from 'node:path'
import { promisify } from 'node:util'
import { copyCheckout } from '../../scripts/lib/checkout-copy.mjs'
import { freePort } from '../../scripts/lib/processes.mjs'

/** A running script of the copy. */
export interface RunningScript {
  readonly url: string
  stop(): Promise<void>
}

type Environment = Record<string, string | undefined>

/** Makes a copy of the checkout for a test, in the state of a fresh clone. */
export async function createWorkingCopy() {
  const { folder, remove } = await copyCheckout()
  const pathOf = (file: string) => path.join(folder, file)
  const environment = (extra: Environment = {}) => ({
    ...process.env,
    PATH: `${pathOf('node_modules/.bin')}${path.delimiter}${process.env.PATH}`,
    RELEASES_FOLDER: '',
    // FORCE_COLOR is unset, because Node warns if both variables are set.
    NO_COLOR: '1',
    FORCE_COLOR: undefined,
    ...extra,
  })

  /**
   * Runs a command in the copy.
   * @returns its output @throws with the output if it fails
   */
  function run(command: string, args: readonly string[], extra: Environment = {}): Promise<string> {
    const options = { cwd: folder, env: environment(extra), maxBuffer: 1e8 }
    return promisify(execFile)(command, args, options).then(
      ({ stdout, stderr }) => stdout + stderr,
      ({ stdout, stderr }) => {
        throw new Error(`${args.join(' ')}:\n${stdout}${stderr}`)
      },
    )
  }

  /** Starts a script of the copy that prints `ready <address>`. */
  async function start(
    script: string,
    { cwd = '.', ...extra }: Environment = {},
    args: readonly string[] = [],
  ): Promise<RunningScript> {
    const server = spawn(process.execPath, [pathOf(script), ...args], {
      cwd: pathOf(cwd),
      env: environment(extra),
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const ended = new Promise<void>(resolve => server.once('exit', () => resolve()))
    const url = await new Promise<string>((resolve, reject) => {
      server.stdout.on('data', chunk => {
        const [, address] = /^ready (\S+)/m.exec(String(chunk)) ?? []
        if (address) resolve(address)
      })
      server.once('exit', code => reject(new Error(`${script} ended with ${code}`)))
    })
    return {
      url,
      stop() {
        server.kill('SIGTERM')
        return ended
      },
    }
  }

  return {
    folder,
    pathOf,
    run,
    start,
    remove,
    node: (...args: string[]) => run(process.execPath, args),
    git: (...args: string[]) => run('git', args),
    /** Starts `npm run dev -w <app>` on a free port. */
    standalone: async (app: string, ...args: string[]) =>
      start('scripts/dev-standalone.mjs', { cwd: app, PORT: String(await freePort()) }, args),
  }
}

export type WorkingCopy = Awaited<ReturnType<typeof createWorkingCopy>>
