import type { Route, SessionAccess } from '@portal/contract/route'
import type { MakeCall } from './cases.ts'
import type { ParityFixture, RequestOptions } from './fixture.ts'

/* Derives the cases that follow from the contract alone, in the same way for every route. */

const RANK: Record<SessionAccess, number> = { public: 0, user: 1, admin: 2, super_admin: 3 }

const callers = [
  { access: 'public', who: 'a caller without a token', getToken: async () => undefined },
  { access: 'user', who: 'a user', getToken: async (fixture: ParityFixture) => (await fixture.user()).token },
  { access: 'admin', who: 'an admin', getToken: (fixture: ParityFixture) => fixture.admin() },
  { access: 'super_admin', who: 'a super admin', getToken: (fixture: ParityFixture) => fixture.superAdmin() },
] as const satisfies {
  access: SessionAccess
  who: string
  getToken(fixture: ParityFixture): Promise<string | undefined>
}[]

/** Returns the path with an unknown ID in place of each parameter. */
const withUnknownIds = (path: string) => path.replace(/\{\w+\}/g, 'nowhere')

/** Returns the error cases of a route without an API key: a missing role, invalid and missing input, and unknown IDs. */
export function deriveCases(route: Route): Record<string, MakeCall> {
  const { path, access, body, query, params, multipart } = route
  const allowed = callers.find(caller => caller.access === access)
  const makeCall =
    (options: RequestOptions, callPath = withUnknownIds(path)): MakeCall =>
    async fixture => ({ ...options, path: callPath, token: await allowed?.getToken(fixture) })
  const lowerRoles = access === 'key' ? [] : callers.filter(caller => RANK[caller.access] < RANK[access])
  const takesBody = body !== undefined || multipart !== undefined
  return {
    ...Object.fromEntries(
      lowerRoles.map(({ who, getToken }): [string, MakeCall] => [
        who,
        async fixture => ({
          path: withUnknownIds(path),
          token: await getToken(fixture),
          ...(body && { body: {} }),
        }),
      ]),
    ),
    ...(access !== 'public' && {
      'an invalid token': () => ({ path: withUnknownIds(path), token: 'a.b.c', ...(body && { body: {} }) }),
    }),
    ...(body && {
      'an empty object': makeCall({ body: {} }),
      'broken JSON': makeCall({ body: '{"' }),
      'an array instead of an object': makeCall({ body: [] }),
      'a content type other than JSON': makeCall({ body: 'x', headers: { 'content-type': 'text/plain' } }),
    }),
    ...(multipart && {
      'a form without a file': makeCall({ body: new FormData() }),
      'JSON instead of a form': makeCall({ body: {} }),
    }),
    ...(query &&
      'page' in query.shape && {
        'the page number 0x1': makeCall({}, `${withUnknownIds(path)}?page=0x1`),
        'the page number 0': makeCall({}, `${withUnknownIds(path)}?page=0`),
        'too many entries per page': makeCall({}, `${withUnknownIds(path)}?per_page=101`),
      }),
    ...(params && !takesBody && { 'an unknown ID': makeCall({}) }),
  }
}
