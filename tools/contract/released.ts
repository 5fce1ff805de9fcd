import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { openApi } from '@portal/contract/openapi'
import { root } from '../../scripts/lib/setup.mjs'
import type { AcceptedBreak } from './compare.ts'
import { type Description, describe } from './description.ts'
import type { Recordings } from './recorded.ts'

/*
 * The released contract in `packages/contract/released/`: `api.json` describes every call that front ends in use can make,
 * `calls.json` contains recorded calls, and `accepted.json` the intended breaking changes.
 */

const folder = path.join(root, 'packages/contract/released')
const read = (name: string): unknown => JSON.parse(readFileSync(path.join(folder, name), 'utf8'))

// `storeReleased` writes these files. `accepted.json` is also edited by hand and reviewed.
export const readReleasedApi = (): Description => read('api.json') as Description
export const readReleasedCalls = (): Recordings => read('calls.json') as Recordings
export const readAcceptedBreaks = (): AcceptedBreak[] => read('accepted.json') as AcceptedBreak[]

/** Returns the description of the API of these sources. */
export const describeCurrentApi = (): Description => describe(openApi('http://localhost'))

/** Returns JSON with one call per line, so that differences can be read. */
function formatByLine(values: Readonly<Record<string, unknown>>): string {
  const lines = Object.entries(values).map(
    ([key, value]) => `${JSON.stringify(key)}: ${JSON.stringify(value)}`,
  )
  return `{\n${lines.join(',\n')}\n}`
}

/** Stores the released contract, and removes the accepted breaking changes. */
export function storeReleased({ codes, calls }: Description, recordings: Recordings): void {
  const files = {
    'api.json': `{"codes": ${JSON.stringify(codes)},\n"calls": ${formatByLine(calls)}}\n`,
    'calls.json': `${formatByLine(recordings)}\n`,
    'accepted.json': '[]\n',
  }
  for (const [name, content] of Object.entries(files)) writeFileSync(path.join(folder, name), content)
}
