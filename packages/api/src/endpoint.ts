import type { Route } from '@portal/contract/route'

/**
 * A route of the contract for calling alone: its method and path, held to the contract by the compiler, without the
 * schemas that would bring zod (25 kB) into a first load. Where forms need the schemas, import the route itself.
 * @example endpoint<typeof verification.settings>('GET', '/verification/settings') // with `import type`
 */
export function endpoint<R extends Route>(method: R['method'], path: R['path']): R {
  // Calls read nothing but these two; `access`, schemas and the rest stay types.
  return { method, path } as Pick<R, 'method' | 'path'> as R
}
