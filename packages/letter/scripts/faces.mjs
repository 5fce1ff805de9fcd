// Creates `src/pdf/faces/*.ts`, the fonts of the PDF, by subsetting Google Fonts files from npm: Latin with every tone mark and
// dot below, Greek, Cyrillic and currency symbols, with only the features that place marks. Each PDF embeds only the glyphs
// that it uses. Run by hand when a font changes: node packages/letter/scripts/faces.mjs
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { deflateRawSync } from 'node:zlib'

const packages = [
  'subset-font@2.9.0',
  'fontkit@2.0.4',
  '@expo-google-fonts/source-serif-4@0.4.1',
  '@expo-google-fonts/noto-serif@0.4.2',
  '@expo-google-fonts/public-sans@0.4.2',
  '@expo-google-fonts/jetbrains-mono@0.4.1',
]
const folder = mkdtempSync(path.join(tmpdir(), 'faces-'))
writeFileSync(path.join(folder, 'package.json'), '{}')
execFileSync('npm', ['install', '--no-audit', '--no-fund', ...packages], { cwd: folder, stdio: 'inherit' })
const load = createRequire(path.join(folder, 'package.json'))
const subsetFont = load('subset-font')
const fontkit = load('fontkit')

const font = (family, style, name) =>
  readFileSync(path.join(folder, `node_modules/@expo-google-fonts/${family}/${style}/${name}_${style}.ttf`))

const charactersBetween = (from, to) =>
  Array.from({ length: to - from + 1 }, (_, index) => String.fromCodePoint(from + index))
const ascii = charactersBetween(0x20, 0x7e).join('')
const extendedSet = [
  ascii,
  ...charactersBetween(0xa0, 0x2ff),
  ...charactersBetween(0x300, 0x36f),
  ...charactersBetween(0x370, 0x3ff),
  ...charactersBetween(0x400, 0x45f),
  ...charactersBetween(0x1e00, 0x1eff),
  ...charactersBetween(0x2010, 0x2044),
  ...charactersBetween(0x20a0, 0x20bf),
  ...'№™ℓ−∕',
].join('')

/**
 * Returns the characters that this font lacks and our second font must provide: Hausa's hooked letters, and others of the
 * extended set.
 */
const missingLetters = bytes => {
  const characterSet = new Set(fontkit.create(bytes).characterSet)
  return [...extendedSet].filter(letter => !characterSet.has(letter.codePointAt(0))).join('')
}

/**
 * Every base letter and every mark. The second font needs both to draw a letter with a mark that the first font cannot place.
 */
const lettersAndMarks = [...extendedSet]
  .filter(letter => /[\p{L}\p{M}]/u.test(letter) && letter.normalize('NFD') === letter)
  .join('')

const serif = font('source-serif-4', '400Regular', 'SourceSerif4')
const serifBold = font('source-serif-4', '600SemiBold', 'SourceSerif4')
const faces = {
  serif: [serif, extendedSet],
  'serif-bold': [serifBold, extendedSet],
  'other-serif': [font('noto-serif', '400Regular', 'NotoSerif'), missingLetters(serif) + lettersAndMarks],
  'other-serif-bold': [
    font('noto-serif', '600SemiBold', 'NotoSerif'),
    missingLetters(serifBold) + lettersAndMarks,
  ],
  sans: [font('public-sans', '400Regular', 'PublicSans'), ascii],
  'sans-bold': [font('public-sans', '600SemiBold', 'PublicSans'), ascii],
  mono: [font('jetbrains-mono', '400Regular', 'JetBrainsMono'), ascii],
}

for (const [name, [bytes, text]] of Object.entries(faces)) {
  const subset = await subsetFont(bytes, text, {
    targetFormat: 'sfnt',
    keepFeatures: ['ccmp', 'locl', 'kern', 'mark', 'mkmk'],
    noLayoutClosure: false,
    noHinting: true,
    // The names that state the licence and the author.
    preserveNameIds: [0, 1, 2, 4, 6, 13, 14],
  })
  const compressed = deflateRawSync(subset, { level: 9 })
  console.log(name, [...text].length, subset.length, compressed.length)
  writeFileSync(
    path.join(import.meta.dirname, `../src/pdf/faces/${name}.ts`),
    `/* Made by scripts/faces.mjs; SIL Open Font License 1.1. A TrueType face, raw deflate in base64. */\nexport const face =\n  '${compressed.toString('base64')}'\n`,
  )
}
rmSync(folder, { recursive: true })
