import { originalPositionFor, sourceContentFor, TraceMap } from '@jridgewell/trace-mapping'

/** A line of a stack trace, in the source file. */
export interface Frame {
  /** Path from the root of the repository: `mfe-user/src/features/history/page.tsx`. */
  readonly file: string
  readonly line: number
  /** The lines around it, each with its number; empty if unknown. */
  readonly code: readonly { readonly number: number; readonly text: string }[]
}

/** Fetches a text file by its address. */
export type ReadText = (address: string) => Promise<string>

/** Number of lines of code to show before and after the failed one. */
const AROUND = 2

/**
 * Returns the path of a source from the root of the repository; undefined for libraries. A build names its files by
 * their path from the folder of its app: `webpack://mfe_user/./src/routes.tsx`,
 * `webpack://mfe_user/../packages/ui/src/button.tsx`.
 */
function pathOf(source: string): string | undefined {
  const [, build = '', path = ''] = /^webpack:\/\/([\w-]*)\/(\.{1,2}\/[^?]+)/.exec(source) ?? []
  if (path === '' || path.includes('node_modules/')) return undefined
  return path.startsWith('../')
    ? path.replace(/^(?:\.\.\/)+/, '')
    : `${build.replaceAll('_', '-')}/${path.slice(2)}`
}

async function mapOf(address: string, read: ReadText): Promise<TraceMap | undefined> {
  const code = await read(address)
  const reference = [...code.matchAll(/^\/\/# sourceMappingURL=(\S+)\s*$/gm)].at(-1)?.[1]
  return reference ? new TraceMap(await read(new URL(reference, address).href)) : undefined
}

function linesOf(content: string | null, line: number): Frame['code'] {
  if (content === null) return []
  const lines = content.split('\n')
  const first = Math.max(1, line - AROUND)
  return lines.slice(first - 1, line + AROUND).map((text, index) => ({ number: first + index, text }))
}

/** Returns the places of a stack trace that are in files of this repository, innermost first. Maps that cannot be read are skipped. */
export async function sourceFrames(stack: string, read: ReadText): Promise<Frame[]> {
  const maps = new Map<string, Promise<TraceMap | undefined>>()
  const places = [...stack.matchAll(/(https?:\/\/[^\s()]+?):(\d+):(\d+)\)?$/gm)]
  const found = await Promise.all(
    places.map(async ([, address = '', line, column]) => {
      const reading = maps.get(address) ?? mapOf(address, read).catch(() => undefined)
      maps.set(address, reading)
      const map = await reading
      if (!map) return []
      const place = originalPositionFor(map, { line: Number(line), column: Number(column) - 1 })
      if (place.source === null) return []
      // Once resolved, names no longer show their relation to the app's folder.
      const name = map.sources[map.resolvedSources.indexOf(place.source)] ?? ''
      const file = pathOf(name)
      return file
        ? [{ file, line: place.line, code: linesOf(sourceContentFor(map, place.source), place.line) }]
        : []
    }),
  )
  return found.flat()
}
