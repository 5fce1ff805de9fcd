import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'

/* The tables of docs/ name files and tests; a name that no longer exists is a promise that nobody keeps. */

const root = path.join(import.meta.dirname, '..')
const read = (file: string) => readFileSync(path.join(root, file), 'utf8')
const tops = /^(?:docs|edge-api|mfe-\w+|packages|scripts|shell)\//

test.each(['docs/spec-coverage.md', 'docs/quality.md'])('%s names tests and files that exist', document => {
  const text = read(document)
  const named = [...text.matchAll(/`([\w./-]+\.test\.tsx?)`(?: › \*([^*]+)\*)?/g)]
  expect(named.length).toBeGreaterThan(100)
  const gone = named.flatMap(([, file = '', title = '']) => {
    if (!existsSync(path.join(root, file))) return [file]
    // As the source has it, where a quotation mark inside may be escaped.
    return read(file).replaceAll('\\', '').includes(title) ? [] : [`${file} › ${title}`]
  })
  const places = [...text.matchAll(/`([\w./-]+)`/g)].map(([, place = '']) => place)
  const lost = places.filter(place => tops.test(place) && !existsSync(path.join(root, place)))
  expect([...gone, ...lost]).toEqual([])
})
