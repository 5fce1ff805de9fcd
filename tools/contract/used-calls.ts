import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { pickCalls } from './compare.ts'
import type { Description } from './description.ts'
import { describeCurrentApi } from './released.ts'

/**
 * Returns the calls of a built front end, as these sources describe them. Bundles contain the method and path of each call as
 * text, so calls that are never made count too.
 * @param build folder of its files
 */
export function callsOf(build: string): Description {
  const api = describeCurrentApi()
  const scripts = readdirSync(build, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile() && entry.name.endsWith('.js'))
    .map(entry => readFileSync(path.join(entry.parentPath, entry.name), 'utf8'))
  const isNamed = (address: string) =>
    scripts.some(code => ['"', "'", '`'].some(quote => code.includes(`${quote}${address}${quote}`)))
  const keys = Object.entries(api.calls).flatMap(([key, { path: address }]) =>
    isNamed(address) ? [key] : [],
  )
  return pickCalls(api, new Set(keys))
}
