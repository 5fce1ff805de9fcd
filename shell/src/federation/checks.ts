import type { RemoteModule } from '@portal/contract/remote'
import { CONTRACT } from '@portal/contract/version'

/** How long a remote, or a page of it, may take to arrive. */
export const TIME_LIMIT_MS = 15_000

/** Rejects when `work` takes longer than `limit` milliseconds; the work itself cannot be stopped. */
export function within<T>(what: string, work: Promise<T>, limit = TIME_LIMIT_MS): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new Error(`${what} did not arrive within ${limit / 1000} s`)), limit)
  return Promise.race([work, late]).finally(() => clearTimeout(timer))
}

/** Gives the module back if the shell can run it; otherwise says why not. */
export function checked(
  name: string,
  remote: RemoteModule | null | undefined,
  contract = CONTRACT,
): RemoteModule {
  if (!remote) throw new Error(`${name} did not load`)
  if (remote.contract !== contract) {
    throw new IncompatibleRemote(
      `${name} was built for version ${remote.contract} of the agreement with the shell, which speaks ${contract}.`,
    )
  }
  return remote
}

/** The remote loaded but was built for another shell: trying again helps only after a new release. */
export class IncompatibleRemote extends Error {
  override readonly name = 'IncompatibleRemote'
}
