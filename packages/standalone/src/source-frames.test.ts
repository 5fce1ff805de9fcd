import { expect, test } from 'vitest'
import { loadSourceFrames } from './source-frames.ts'

const RELEASE_URL = 'http://localhost:4300/r/mfe-user/dev'
/** Source map of `page.js`, whose line 1 comes from the page, line 2 from a package, and line 3 from a library. */
const map = {
  version: 3,
  sources: [
    'webpack://mfe_user/./src/features/history/page.tsx?1a2b',
    'webpack://mfe_user/../packages/ui/src/button.tsx',
    'webpack://mfe_user/../node_modules/react-dom/index.js',
  ],
  sourcesContent: ['one\ntwo\nthree\nfour', 'button', 'library'],
  names: [],
  // Maps the third line of the first source, then the first lines of the others.
  mappings: 'AAEA;ACFA;ACAA',
}
const files: Record<string, string> = {
  [`${RELEASE_URL}/page.js`]: 'a()\nb()\nc()\n//# sourceMappingURL=page.js.map',
  [`${RELEASE_URL}/page.js.map`]: JSON.stringify(map),
  [`${RELEASE_URL}/plain.js`]: 'no map',
}
const read = async (address: string) => {
  const text = files[address]
  if (text === undefined) throw new Error(`no ${address}`)
  return text
}

test('finds the source files of a stack trace, and leaves out libraries and files without a source map', async () => {
  const stack = [
    'RangeError: too many',
    `    at Row (${RELEASE_URL}/page.js:1:2)`,
    `    at ${RELEASE_URL}/page.js:2:2`,
    `    at react (${RELEASE_URL}/page.js:3:2)`,
    `    at plain (${RELEASE_URL}/plain.js:1:1)`,
    `    at missing (${RELEASE_URL}/missing.js:1:1)`,
  ].join('\n')
  expect(await loadSourceFrames(stack, read)).toEqual([
    {
      file: 'mfe-user/src/features/history/page.tsx',
      line: 3,
      code: [
        { number: 1, text: 'one' },
        { number: 2, text: 'two' },
        { number: 3, text: 'three' },
        { number: 4, text: 'four' },
      ],
    },
    { file: 'packages/ui/src/button.tsx', line: 1, code: [{ number: 1, text: 'button' }] },
  ])
})

test('parses stack traces from Firefox', async () => {
  const [frame] = await loadSourceFrames(`Row@${RELEASE_URL}/page.js:1:2\n`, read)
  expect(frame?.file).toBe('mfe-user/src/features/history/page.tsx')
})
