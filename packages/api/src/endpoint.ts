import type { Route } from '@portal/contract/route'

/** Never set: carries the shapes of a route for the compiler alone. */
declare const SHAPES: unique symbol

/** Method and path of a route of the contract, all that a call reads of it; its schemas are not there. */
export interface Endpoint<R extends Route> {
  readonly method: R['method']
  readonly path: R['path']
  readonly [SHAPES]?: R
}

/** What can be called: a route of the contract, or its endpoint. */
export type Callable<R extends Route> = R | Endpoint<R>

/**
 * A route of the contract for calling alone: its method and path, held to the contract by the compiler, without the
 * schemas that would bring zod (25 kB) into a first load. Where forms need the schemas, import the route itself.
 * @example endpoint<typeof verification.settings>('GET', '/verification/settings') // with `import type`
 */
export function endpoint<R extends Route>(method: R['method'], path: R['path']): Endpoint<R> {
  return { method, path }
}
