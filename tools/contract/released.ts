import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { openApi } from '../../edge-api/src/http/openapi.ts'
import { root } from '../../scripts/lib/setup.mjs'
import type { Accepted } from './compare.ts'
import { type Description, describe } from './description.ts'
import type { Recordings } from './recorded.ts'

/*
 * What is released of the contract, in `packages/contract/released/`: `api.json` describes every call that front ends
 * in use may make, `calls.json` holds such calls as they are made, `accepted.json` the breaks that are meant.
 */

const folder = path.join(root, 'packages/contract/released')
const read = (name: string): unknown => JSON.parse(readFileSync(path.join(folder, name), 'utf8'))

// Written by `keepReleased` and, `accepted.json`, by hand under the eyes of a reviewer.
export const releasedApi = (): Description => read('api.json') as Description
export const releasedCalls = (): Recordings => read('calls.json') as Recordings
export const acceptedBreaks = (): Accepted[] => read('accepted.json') as Accepted[]

/** The API that these sources would serve. */
export const presentApi = (): Description => describe(openApi('http://localhost'))

/** One call a line, so that a diff shows which changed. */
function byLine(values: Readonly<Record<string, unknown>>): string {
  const lines = Object.entries(values).map(
    ([key, value]) => `${JSON.stringify(key)}: ${JSON.stringify(value)}`,
  )
  return `{\n${lines.join(',\n')}\n}`
}

/** From now on these are what is released; what was accepted until then is past. */
export function keepReleased({ codes, calls }: Description, recordings: Recordings): void {
  const files = {
    'api.json': `{"codes": ${JSON.stringify(codes)},\n"calls": ${byLine(calls)}}\n`,
    'calls.json': `${byLine(recordings)}\n`,
    'accepted.json': '[]\n',
  }
  for (const [name, content] of Object.entries(files)) writeFileSync(path.join(folder, name), content)
}
