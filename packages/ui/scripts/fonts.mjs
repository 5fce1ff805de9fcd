// Creates `src/fonts/*.woff2` by subsetting Google Fonts files from npm, with only the weights and features that the styles
// use. Characters of other languages are left out; for these, the styles use the full files. Run it when a typeface changes:
// node packages/ui/scripts/fonts.mjs
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import path from 'node:path'

const folder = mkdtempSync(path.join(tmpdir(), 'fonts-'))
writeFileSync(path.join(folder, 'package.json'), '{}')
execFileSync('npm', ['install', '--no-audit', '--no-fund', 'subset-font@2.9.0'], {
  cwd: folder,
  stdio: 'inherit',
})
const subsetFont = createRequire(path.join(folder, 'package.json'))('subset-font')
const requireInstalled = createRequire(import.meta.url)

/** Returns the characters of a `unicode-range`. */
const charactersOf = range =>
  range
    .split(',')
    .flatMap(part => {
      const [from, to = from] = part
        .trim()
        .slice(2)
        .split('-')
        .map(point => Number.parseInt(point, 16))
      return Array.from({ length: to - from + 1 }, (_, index) => String.fromCodePoint(from + index))
    })
    .join('')

/** Tone marks and dots below letters are in every subset, because a mark combines only with letters from the same file. */
const marks = 'U+0300-0301, U+0303-0304, U+0308-0309, U+0323, U+0329'
const hooks = 'U+0181, U+018A, U+0198-0199, U+01B3-01B4, U+0253, U+0257'
const macrons = 'U+0100-0101, U+0112-0113, U+012A-012B, U+014C-014D, U+016A-016B'

/** The subsets listed in `src/fonts.css`: for each, the source file and the characters. */
const parts = {
  latin: [
    'latin',
    `${marks}, U+0020-007E, U+00A0-00FF, U+0131, U+0152-0153, U+02BB-02BC, U+02C6, U+02DA, U+02DC, U+2000-206F, U+20AC, U+2122, U+2191, U+2193, U+2212, U+2215, U+FEFF, U+FFFD`,
  ],
  'latin-ext': [
    'latin-ext',
    `${marks}, U+0143-0144, U+01F8-01F9, U+1E3E-1E3F, U+1E44-1E47, U+1E62-1E63, U+20A6`,
  ],
  vietnamese: ['vietnamese', `${marks}, U+1EB8-1EBD, U+1ECA-1ECD, U+1EE4-1EE5`],
}
const rareLetters = ['latin-ext', `${marks}, ${hooks}, ${macrons}`]

// `ccmp` removes the dot of an i that has a tone mark; `mark` and `mkmk` contain the anchors of marks.
const markFeatures = ['ccmp', 'locl', 'mark', 'mkmk']
const families = {
  // This font does not have the hooked letters, so they come from Noto Serif.
  'source-serif-4': {
    keepFeatures: [...markFeatures, 'kern', 'liga', 'pnum', 'tnum'],
    parts: { ...parts, macrons: ['latin-ext', `${marks}, ${macrons}`] },
  },
  'noto-serif': { keepFeatures: markFeatures, parts: { hooks: ['latin-ext', `${marks}, ${hooks}`] } },
  inter: {
    keepFeatures: [...markFeatures, 'kern', 'pnum', 'tnum'],
    parts: { ...parts, 'macrons-hooks': rareLetters },
  },
  // Without ligatures, because this font is used where every character matters.
  'noto-sans-mono': { keepFeatures: markFeatures, parts: { ...parts, 'macrons-hooks': rareLetters } },
}

const target = path.join(import.meta.dirname, '../src/fonts')
mkdirSync(target, { recursive: true })
for (const [family, { keepFeatures, parts }] of Object.entries(families))
  for (const [part, [source, range]] of Object.entries(parts)) {
    const original = readFileSync(
      requireInstalled.resolve(`@fontsource-variable/${family}/files/${family}-${source}-wght-normal.woff2`),
    )
    const subset = await subsetFont(original, charactersOf(range), {
      targetFormat: 'woff2',
      keepFeatures,
      // The range of weights that the styles use.
      variationAxes: { wght: { min: 400, max: 700 } },
      // The names that state the licence and the author.
      preserveNameIds: [0, 1, 2, 4, 6, 13, 14],
    })
    console.log(family, part, original.length, subset.length)
    writeFileSync(path.join(target, `${family}-${part}.woff2`), subset)
  }
rmSync(folder, { recursive: true })
