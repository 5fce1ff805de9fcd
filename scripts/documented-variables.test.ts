import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'

const root = path.join(import.meta.dirname, '..')
const filesBelow = (folder: string, ending: RegExp) =>
  readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter(file => ending.test(file) && !file.includes('node_modules'))
    .map(file => path.join(folder, file))
const read = (file: string) => readFileSync(path.join(root, file), 'utf8')

/** Set by the system, or by one of our processes for another. */
const INTERNAL = new Set([
  'PATH',
  'TMPDIR',
  'STOP_WITH_PARENT',
  'BLACK_BOX_SUBJECT',
  'OTHERS_HOST',
  'OTHERS_PORTS',
])

test('every environment variable that a script reads is documented', () => {
  const documents = ['README.md', 'CONTRIBUTING.md', ...filesBelow('docs', /\.md$/)].map(read).join('\n')
  const sources = [
    ...filesBelow('scripts', /\.(mjs|ts)$/),
    ...filesBelow('edge-api/test', /\.ts$/),
    'rspack.config.ts',
  ]
  const named = sources.flatMap(file =>
    [...read(file).matchAll(/process\.env\.([A-Z][A-Z_]+)/g)].map(([, name = '']) => name),
  )
  expect(named).toContain('MOCK_PORT')
  const missing = new Set(named.filter(name => !INTERNAL.has(name) && !documents.includes(`\`${name}`)))
  expect([...missing]).toEqual([])
})
