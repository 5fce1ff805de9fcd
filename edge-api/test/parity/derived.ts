import type { Route, SessionAccess } from '@portal/contract/route'
import type { MakeCall } from './cases.ts'
import type { RequestOptions, World } from './world.ts'

/* Derives the cases that follow from the contract alone, in the same way for every route. */

const RANK: Record<SessionAccess, number> = { public: 0, user: 1, admin: 2, super_admin: 3 }

const callers = [
  { access: 'public', who: 'nobody', tokenOf: async () => undefined },
  { access: 'user', who: 'a user', tokenOf: async (world: World) => (await world.user()).token },
  { access: 'admin', who: 'an admin', tokenOf: (world: World) => world.admin() },
  { access: 'super_admin', who: 'a super admin', tokenOf: (world: World) => world.superAdmin() },
] as const satisfies {
  access: SessionAccess
  who: string
  tokenOf(world: World): Promise<string | undefined>
}[]

/** Returns the path with an unknown ID in place of each parameter. */
const withUnknownIds = (path: string) => path.replace(/\{\w+\}/g, 'nowhere')

/** Returns the error cases of a route of accounts or the public: missing role, invalid and missing input, unknown IDs. */
export function derivedCases(route: Route): Record<string, MakeCall> {
  const { path, access, body, query, params, multipart } = route
  const allowed = callers.find(caller => caller.access === access)
  const called =
    (sent: RequestOptions, at = withUnknownIds(path)): MakeCall =>
    async world => ({ ...sent, path: at, token: await allowed?.tokenOf(world) })
  const lowerRoles = access === 'key' ? [] : callers.filter(caller => RANK[caller.access] < RANK[access])
  const takesBody = body !== undefined || multipart !== undefined
  return {
    ...Object.fromEntries(
      lowerRoles.map(({ who, tokenOf }): [string, MakeCall] => [
        who,
        async world => ({
          path: withUnknownIds(path),
          token: await tokenOf(world),
          ...(body && { body: {} }),
        }),
      ]),
    ),
    ...(access !== 'public' && {
      'an invalid token': () => ({ path: withUnknownIds(path), token: 'a.b.c', ...(body && { body: {} }) }),
    }),
    ...(body && {
      'nothing entered': called({ body: {} }),
      'broken JSON': called({ body: '{"' }),
      'a list for an object': called({ body: [] }),
      'another type of content': called({ body: 'x', headers: { 'content-type': 'text/plain' } }),
    }),
    ...(multipart && {
      'a form without a file': called({ body: new FormData() }),
      'JSON for a form': called({ body: {} }),
    }),
    ...(query &&
      'page' in query.shape && {
        'a page 0x1': called({}, `${withUnknownIds(path)}?page=0x1`),
        'a page 0': called({}, `${withUnknownIds(path)}?page=0`),
        'too many a page': called({}, `${withUnknownIds(path)}?per_page=101`),
      }),
    ...(params && !takesBody && { 'an id of nothing': called({}) }),
  }
}
