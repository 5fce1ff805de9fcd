import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import pixelmatch from 'pixelmatch'
import { PNG } from 'pngjs'
import { idOf } from '../gallery/story.ts'

/* Pictures of the gallery's components, and their comparison pixel by pixel. */

const folder = path.join(import.meta.dirname, '../gallery/stories')

export interface Subject {
  name: string
  /** Query of the canvas page that shows it. */
  query: string
  /** Height of the viewport in pixels; only for a story that opens over its page. */
  viewportHeight?: number
}

/**
 * Returns what to take pictures of: each component with all its stories or, if its stories open over the page, each story
 * separately.
 */
export function findSubjects(): Subject[] {
  return readdirSync(folder)
    .toSorted()
    .flatMap(file => {
      const id = path.basename(file, '.tsx')
      const text = readFileSync(path.join(folder, file), 'utf8')
      const [, viewportHeight] = /^ {2}viewportHeight: (\d+),$/m.exec(text) ?? []
      if (!viewportHeight) return [{ name: id, query: `component=${id}` }]
      return [...text.matchAll(/^export function (\w+)/gm)].map(([, name = '']) => {
        const storyId = idOf(name)
        return {
          name: `${id}.${storyId}`,
          query: `component=${id}&story=${storyId}`,
          viewportHeight: Number(viewportHeight),
        }
      })
    })
}

/**
 * Levels of each colour channel. A picture takes a third of the bytes that it has with 256 levels, and the levels are still
 * finer than the comparison.
 */
const LEVELS = 16
/** PNG filter type without prediction, which is the smallest for plain areas and text. */
const NO_FILTER = 0
/** zlib's `Z_DEFAULT_STRATEGY`. */
const DEFAULT_STRATEGY = 0

/** Encodes a picture in a quarter of the bytes that the browser uses, by leaving out transparency and reducing the colours. */
export function compress(png: Buffer): Buffer {
  const picture = PNG.sync.read(png)
  const step = 255 / (LEVELS - 1)
  for (const [index, value] of picture.data.entries()) picture.data[index] = Math.round(value / step) * step
  return PNG.sync.write(picture, {
    colorType: 2,
    deflateLevel: 9,
    deflateStrategy: DEFAULT_STRATEGY,
    filterType: NO_FILTER,
  })
}

export interface Comparison {
  /** Number of pixels that differ by more than anti-aliasing would explain; all pixels if the sizes differ. */
  differentPixels: number
  sizes: string
  /** A PNG in which the differences are marked; only if the sizes are equal. */
  marked?: Buffer
}

export function compare(accepted: Buffer, current: Buffer): Comparison {
  const [acceptedPng, currentPng] = [PNG.sync.read(accepted), PNG.sync.read(current)]
  const { width, height } = currentPng
  if (acceptedPng.width !== width || acceptedPng.height !== height)
    return {
      differentPixels: width * height,
      sizes: `${acceptedPng.width}x${acceptedPng.height}, now ${width}x${height}`,
    }
  const differences = new PNG({ width, height })
  const different = pixelmatch(acceptedPng.data, currentPng.data, differences.data, width, height, {
    threshold: 0.1,
  })
  return { differentPixels: different, sizes: `${width}x${height}`, marked: PNG.sync.write(differences) }
}
