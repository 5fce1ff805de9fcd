import { type Compatibility, incompatibilities } from '@portal/contract/compatibility'
import type { RemoteModule } from '@portal/contract/remote'
import { CONTRACT } from '@portal/contract/version'

/** Time limit for loading a remote, or a page of it, in milliseconds. */
export const TIME_LIMIT_MS = 15_000

/** Rejects if `work` takes longer than `limit` milliseconds; the work itself cannot be stopped. The error names `what`. */
export function withTimeout<T>(what: string, work: Promise<T>, limit = TIME_LIMIT_MS): Promise<T> {
  const { promise: timedOut, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(
    () => reject(new TimeoutError(`${what} did not arrive within ${limit / 1000} s`)),
    limit,
  )
  return Promise.race([work, timedOut]).finally(() => clearTimeout(timer))
}

/** Returns the module if the shell can run it; otherwise throws the reason. */
export function requireContract(
  name: string,
  remote: RemoteModule | null | undefined,
  contract = CONTRACT,
): RemoteModule {
  if (!remote) throw new Error(`${name} did not load`)
  if (remote.contract !== contract) {
    throw new IncompatibleRemote(
      `${name} needs contract version ${remote.contract} but the shell supports ${contract}`,
    )
  }
  return remote
}

/**
 * Throws if this shell cannot run a release. Called before any of the release's code runs.
 * @param needs requirements in the release's pointer; development has none
 * @throws IncompatibleRemote with everything that this shell lacks
 */
export function assertCompatible(name: string, needs: Compatibility | undefined, shell: Compatibility): void {
  const problems = needs ? incompatibilities(needs, shell) : []
  if (problems.length > 0) throw new IncompatibleRemote(`${name} ${problems.join('; ')}`)
}

/** Returns the thrown value as an error; code outside the shell may throw anything. */
export const asError = (cause: unknown): Error => (cause instanceof Error ? cause : new Error(String(cause)))

class TimeoutError extends Error {
  override readonly name = 'TimeoutError'
}

/**
 * Thrown for a remote that was built for another shell. Only a new release of the remote or of the shell helps, or a reload if
 * there is a newer shell.
 */
export class IncompatibleRemote extends Error {
  override readonly name = 'IncompatibleRemote'
}
