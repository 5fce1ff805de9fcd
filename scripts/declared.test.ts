import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { packagesIn, undeclaredImports } from './lib/declared.mjs'
import { root } from './lib/setup.mjs'

/* Every workspace names the packages that it imports. */

const folders: string[] = []
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true })
})

/** A checkout of these files. */
function checkout(files: Record<string, string | object>): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'declared-'))
  folders.push(folder)
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true })
    writeFileSync(path.join(folder, name), typeof content === 'string' ? content : JSON.stringify(content))
  }
  return folder
}

test('every workspace names what it imports', () => {
  expect(undeclaredImports(root)).toEqual([])
})

test('what ships stands under dependencies; tests take what serves development, the root’s too', () => {
  const folder = checkout({
    'package.json': { dependencies: { react: '1.0.0' }, devDependencies: { vitest: '1.0.0' } },
    'mfe-one/package.json': {
      name: '@portal/mfe-one',
      dependencies: { zod: '1.0.0' },
      devDependencies: { msw: '1.0.0' },
    },
    'mfe-one/src/page.tsx': "import { a } from 'react'\nimport { b } from 'zod'\nimport { c } from 'msw'\n",
    'mfe-one/src/page.test.tsx':
      "import { a } from 'react'\nimport { b } from 'vitest'\nimport { c } from 'msw'\nimport { d } from 'axe-core'\n",
    'mfe-one/dist/left.ts': "import { a } from 'left-pad'\n",
  })
  expect(undeclaredImports(folder)).toEqual([
    'mfe-one/src/page.test.tsx imports axe-core: name it in mfe-one/package.json, under devDependencies.',
    'mfe-one/src/page.tsx imports msw: name it in mfe-one/package.json, under dependencies.',
    'mfe-one/src/page.tsx imports react: name it in mfe-one/package.json, under dependencies.',
  ])
})

test('imports of every form are read; files and built-in modules are no packages', () => {
  const text = `import { readFileSync } from 'node:fs'
import path from 'path'
import type { A } from '@portal/ui/button'
import {
  b,
  c,
} from 'several-lines/deep'
import 'for-its-effect'
export { d } from 'handed-on'
import own from './own.ts'
const later = () => import('at-run-time')
`
  expect(packagesIn(text).filter(Boolean)).toEqual([
    '@portal/ui',
    'several-lines',
    'handed-on',
    'for-its-effect',
    'at-run-time',
  ])
  expect(packagesIn("@import '@portal/ui/styles.css';")).toEqual(['@portal/ui'])
})
