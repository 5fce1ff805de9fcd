// Writes the files of the demo: the released shell and micro-frontends unchanged, the mocks, and the shell's page, changed so
// that the mocks load first. See docs/decisions/044-static-demo.md.
import { existsSync } from 'node:fs'
import { cp, mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { build } from 'esbuild'
import { filesOf } from '../shipping/folder.mjs'
import { root } from './setup.mjs'

const mocks = path.join(root, 'packages/mocks')
/** The file that marks a folder as a demo, so that it may be replaced. It contains the base path of the demo, for 404.html. */
const MARK = 'demo.json'

/** @param {string} folder */
export const isDemo = folder => existsSync(path.join(folder, MARK))

/**
 * Returns whether a file is part of the demo. Compressed copies are not, because static hosts compress files themselves. Build
 * records are not, because they are internal.
 */
const isIncluded = file =>
  !/\.(?:gz|br|map)$|(?:stamp|calls|first-files|pages)\.json$|api-reference[^/]*$/.test(file)

/**
 * Returns the shell's page with relative addresses, without preloads, and with its scripts and styles as a list that the
 * demo loads once its worker is ready.
 * @param {string} html
 */
export function pageOfDemo(html) {
  /** @type {{ address: string, integrity: string }[]} */
  const files = []
  const collect = (tag, attributes) => {
    const [, address] = /(?:src|href)="([^"]+)"/.exec(attributes) ?? []
    const [, integrity] = /integrity="([^"]+)"/.exec(attributes) ?? []
    if (!address || !integrity)
      throw new Error(`A file of the shell's page has no address or no hash: ${tag}`)
    files.push({ address, integrity })
    return ''
  }
  const page = html
    .replace(/<link [^>]*href="\/api\/[^>]*>/g, '')
    .replace(/data-early="\w+"/, 'data-early="no"')
    .replaceAll(/="\/(?!\/)/g, '="./')
    .replaceAll(/<script\b([^>]*)><\/script>/g, (tag, attributes) =>
      attributes.includes('data-early') ? tag : collect(tag, attributes),
    )
    .replaceAll(/<link\b([^>]*rel="stylesheet"[^>]*)>/g, collect)
  if (!files.some(({ address }) => address.endsWith('.js')))
    throw new Error("The shell's page loads no script.")
  const addedTags = [
    '<meta name="robots" content="noindex">',
    `<script type="application/json" id="portal-files">${JSON.stringify(files)}</script>`,
    '<script type="module" src="./demo.js"></script>',
  ]
  return page
    .replace('</head>', `${addedTags.join('')}</head>`)
    .replace('<div id="root"></div>', '<div id="root"><p>The demonstration is loading…</p></div>')
}

/**
 * Writes `demo.js`, a script with the mocks and the code that starts them.
 * @param {string} folder
 */
async function bundleMocks(folder) {
  await build({
    entryPoints: [path.join(mocks, 'demo/demo.ts')],
    outfile: path.join(folder, 'demo.js'),
    bundle: true,
    format: 'esm',
    target: 'es2022',
    minify: true,
    define: { 'process.env.NODE_ENV': '"production"' },
  })
}

/**
 * Writes the demo to a folder, replacing an existing one.
 * @param {string} releases the releases folder, as scripts/build.mjs has built it
 * @param {string} folder
 * @returns {Promise<{ files: number, bytes: number }>}
 */
export async function buildDemo(releases, folder) {
  const draft = `${folder}.${process.pid}`
  await rm(draft, { recursive: true, force: true })
  await mkdir(path.join(draft, 'config'), { recursive: true })
  const copy = (from, to) => cp(from, path.join(draft, to), { recursive: true, filter: isIncluded })
  const pointer = JSON.parse(await readFile(path.join(releases, 'remotes.json'), 'utf8'))
  await copy(path.join(releases, 'shell'), '.')
  for (const { name, release } of pointer.remotes)
    await copy(path.join(releases, name, release), path.join('r', name, release))
  await copy(path.join(releases, 'remotes.json'), 'config/remotes.json')
  await copy(path.join(mocks, 'public'), '.')
  for (const file of ['demo-worker.js', '404.html']) await copy(path.join(mocks, 'demo', file), file)
  const page = path.join(draft, 'index.html')
  await writeFile(page, pageOfDemo(await readFile(page, 'utf8')))
  await writeFile(path.join(draft, MARK), `${JSON.stringify({ demonstration: pointer.revision })}\n`)
  await bundleMocks(draft)
  await rm(folder, { recursive: true, force: true })
  await mkdir(path.dirname(folder), { recursive: true })
  await rename(draft, folder)
  const sizes = await Promise.all(filesOf(folder).map(async file => (await stat(file)).size))
  return { files: sizes.length, bytes: sizes.reduce((sum, size) => sum + size, 0) }
}
