import type { Route } from '@portal/contract/route'
import { routes } from '@portal/contract/routes'
import type { Call as ParityCall, RouteCases } from '../../edge-api/test/parity/cases.ts'
import { createMockSystem } from '../../edge-api/test/parity/compared-systems.ts'
import { createFixture } from '../../edge-api/test/parity/fixture.ts'
import { parityTable } from '../../edge-api/test/parity/table.ts'
import { callKey } from './description.ts'

/** A recorded call of a front end, with which later APIs are tested: they must still accept it. */
export interface RecordedCall {
  /** The path below `/api`, with its query. Its IDs no longer exist when the call is replayed. */
  readonly path: string
  readonly body?: unknown
  /** A form with one file: the name of the field, and the name and content of the file. */
  readonly form?: { readonly field: string; readonly name: string; readonly content: string }
  readonly headers?: Readonly<Record<string, string>>
}

/** Recorded calls by method and path. */
export type Recordings = Readonly<Record<string, readonly RecordedCall[]>>

async function recordForm(form: FormData): Promise<RecordedCall['form']> {
  const [entry] = [...form]
  if (!entry || typeof entry[1] === 'string') throw new Error('a form has one file')
  const [field, file] = entry
  return { field, name: file.name, content: Buffer.from(await file.arrayBuffer()).toString('base64') }
}

async function recordCall(
  route: Route,
  { path = route.path, body, headers }: ParityCall,
): Promise<RecordedCall> {
  if (body instanceof FormData) {
    const form = await recordForm(body)
    return { path, ...(form && { form }), ...(headers && { headers }) }
  }
  return { path, ...(body !== undefined && { body }), ...(headers && { headers }) }
}

/**
 * Returns the cases of a route. The type of the table checks each entry; the type of a route is lost here, where its name is
 * only known at run time.
 */
const casesOf = (domain: string, name: string): RouteCases | undefined =>
  (parityTable as Record<string, Record<string, RouteCases>>)[domain]?.[name]

/** Makes every successful call of the parity table with the mocks, and returns the calls. */
export async function recordCalls(): Promise<Recordings> {
  const fixture = createFixture(createMockSystem())
  const recordings: Record<string, RecordedCall[]> = {}
  for (const [domain, table] of Object.entries(routes))
    for (const [name, route] of Object.entries<Route>(table)) {
      const cases = casesOf(domain, name)
      const builders = cases
        ? [...(cases.succeeds ? [cases.succeeds] : []), ...Object.values(cases.also ?? {})]
        : []
      const recordedCalls: RecordedCall[] = []
      for (const build of builders) {
        const request = await build(fixture)
        const { status } = await fixture.send(route.method, request.path ?? route.path, request)
        if (status < 300) recordedCalls.push(await recordCall(route, request))
      }
      recordings[callKey(route.method, route.path)] = recordedCalls
    }
  return recordings
}
