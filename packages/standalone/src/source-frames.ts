import { originalPositionFor, sourceContentFor, TraceMap } from '@jridgewell/trace-mapping'

/** A frame of a stack trace, as a position in its source file. */
export interface Frame {
  /** Path from the root of the repository: `mfe-user/src/features/history/page.tsx`. */
  readonly file: string
  readonly line: number
  /** The lines of code around it, each with its number; empty if the source is unknown. */
  readonly code: readonly { readonly number: number; readonly text: string }[]
}

/** Fetches a text file by its URL. */
export type ReadText = (url: string) => Promise<string>

/** How many lines of code to show before and after the line of the error. */
const CONTEXT_LINES = 2

/**
 * Returns the path of a source from the root of the repository; undefined for libraries. A build names sources by their path
 * relative to the app's folder: `webpack://mfe_user/./src/routes.tsx`, `webpack://mfe_user/../packages/ui/src/button.tsx`.
 */
function pathOf(source: string): string | undefined {
  const [, build = '', path = ''] = /^webpack:\/\/([\w-]*)\/(\.{1,2}\/[^?]+)/.exec(source) ?? []
  if (path === '' || path.includes('node_modules/')) return undefined
  return path.startsWith('../')
    ? path.replace(/^(?:\.\.\/)+/, '')
    : `${build.replaceAll('_', '-')}/${path.slice(2)}`
}

async function loadSourceMap(url: string, read: ReadText): Promise<TraceMap | undefined> {
  const code = await read(url)
  const reference = [...code.matchAll(/^\/\/# sourceMappingURL=(\S+)\s*$/gm)].at(-1)?.[1]
  return reference ? new TraceMap(await read(new URL(reference, url).href)) : undefined
}

function linesAround(content: string | null, line: number): Frame['code'] {
  if (content === null) return []
  const lines = content.split('\n')
  const first = Math.max(1, line - CONTEXT_LINES)
  return lines.slice(first - 1, line + CONTEXT_LINES).map((text, index) => ({ number: first + index, text }))
}

/**
 * Returns the frames of a stack trace that are in this repository, innermost first. Files whose source maps cannot be read are
 * left out.
 */
export async function loadSourceFrames(stack: string, read: ReadText): Promise<Frame[]> {
  const maps = new Map<string, Promise<TraceMap | undefined>>()
  const positions = [...stack.matchAll(/(https?:\/\/[^\s()]+?):(\d+):(\d+)\)?$/gm)]
  const found = await Promise.all(
    positions.map(async ([, url = '', line, column]) => {
      const reading = maps.get(url) ?? loadSourceMap(url, read).catch(() => undefined)
      maps.set(url, reading)
      const map = await reading
      if (!map) return []
      const position = originalPositionFor(map, { line: Number(line), column: Number(column) - 1 })
      if (position.source === null) return []
      // Take the name as it is in the map, because the resolved name is no longer relative to the app's folder.
      const name = map.sources[map.resolvedSources.indexOf(position.source)] ?? ''
      const file = pathOf(name)
      return file
        ? [
            {
              file,
              line: position.line,
              code: linesAround(sourceContentFor(map, position.source), position.line),
            },
          ]
        : []
    }),
  )
  return found.flat()
}
