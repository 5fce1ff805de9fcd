import { expect, test } from 'vitest'
import { adjustImports, withEntry, withImports } from './source.mjs'

const TABLE_START = /^const table = \{/m

test.each([
  ['const table = {}\n', 'const table = {\nlast: 1,\n}\n'],
  ['const table = {\n  first: 0,\n}\nrest()\n', 'const table = {\n  first: 0,\nlast: 1,\n}\nrest()\n'],
  ['const table = { first: 0 }\n', 'const table = { first: 0,\nlast: 1,\n}\n'],
  // Brackets in strings and comments must not count.
  [
    "const table = {\n  // }\n  first: ['}', `{`], /* ) */\n}\n",
    "const table = {\n  // }\n  first: ['}', `{`], /* ) */\nlast: 1,\n}\n",
  ],
])('adds an entry at the end of the table in %j', (text, expected) => {
  const generated = withEntry('a.ts', text, TABLE_START, 'last: 1')
  expect(generated.replaceAll(/,\s*\/\* \) \*\/,/g, ', /* ) */')).toBe(expected)
})

test('names the file and shows the entry if its table is missing', () => {
  expect(() => withEntry('a.ts', 'const other = {}', TABLE_START, 'last: 1')).toThrow(
    /a\.ts has no .*last: 1/s,
  )
})

test('adds names to the import of the same module, without duplicates', () => {
  const text =
    "import './setup.ts'\nimport type { A } from 'x'\nimport { b } from 'x'\nimport * as z from 'zod'\n"
  const added =
    "import './setup.ts'\nimport * as z from 'zod'\nimport { b, c } from 'x'\nimport type { A } from 'x'\nimport { d } from 'y'\n"
  expect(withImports(text, added)).toBe(
    "import { d } from 'y'\nimport './setup.ts'\nimport type { A } from 'x'\nimport { b, c } from 'x'\nimport * as z from 'zod'\n",
  )
})

test('changes a template’s imports to relative paths or package names, also for other templates', () => {
  const text = [
    "import { a } from '../../../edge-api/src/http/serve.ts'",
    "import { b } from '../../../packages/mocks/src/serve.ts'",
    "import { c } from './contract.ts'",
    "const lazy = () => import('../screen/page.tsx')",
  ].join('\n')
  const moved = {
    'tools/templates/route/contract.ts': 'packages/contract/src/orders.ts',
    'tools/templates/screen/page.tsx': 'mfe-x/src/page.tsx',
  }
  const adjustFor = (to: string) =>
    adjustImports(text, 'tools/templates/route/mock.ts', to, moved).split('\n')
  expect(adjustFor('packages/mocks/src/orders.ts').slice(1, 3)).toEqual([
    "import { b } from './serve.ts'",
    "import { c } from '@portal/contract/orders'",
  ])
  expect(adjustFor('mfe-x/src/routes.ts')).toEqual([
    "import { a } from '../../edge-api/src/http/serve.ts'",
    "import { b } from '@portal/mocks/serve'",
    "import { c } from '@portal/contract/orders'",
    "const lazy = () => import('./page.tsx')",
  ])
})
