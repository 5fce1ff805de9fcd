import type { Route } from '@portal/contract/route'

/** Key of a property that carries the route's types; it exists only at compile time. */
declare const SHAPES: unique symbol

/** Method and path of a route, without its schemas. */
export interface Endpoint<R extends Route> {
  readonly method: R['method']
  readonly path: R['path']
  readonly [SHAPES]?: R
}

/** Something that can be called: a route or its endpoint. */
export type Callable<R extends Route> = R | Endpoint<R>

/**
 * Returns a route's method and path, which the compiler checks against the contract. It does not import the schemas, because
 * they would add zod (25 kB) to the first load. Forms that need the schemas import the route itself.
 * @example endpoint<typeof verification.settings>('GET', '/verification/settings') // with `import type`
 */
export function endpoint<R extends Route>(method: R['method'], path: R['path']): Endpoint<R> {
  return { method, path }
}
