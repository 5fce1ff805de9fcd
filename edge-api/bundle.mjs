// Bundles the API for the runtimes that do not run TypeScript sources as they are: `dist/node.js`, `dist/worker.js`.
import { readFile, rm } from 'node:fs/promises'
import path from 'node:path'
import { build } from 'esbuild'

const here = import.meta.dirname
const { dependencies } = JSON.parse(await readFile(path.join(here, 'package.json'), 'utf8'))
const common = {
  bundle: true,
  format: 'esm',
  target: 'es2023',
  sourcemap: true,
  legalComments: 'none',
  logLevel: 'warning',
  absWorkingDir: here,
}

await rm(path.join(here, 'dist'), { recursive: true, force: true })
await Promise.all([
  build({
    ...common,
    entryPoints: ['src/runtimes/node.ts', 'src/runtimes/backup-thread.ts'],
    outdir: 'dist',
    platform: 'node',
    // Only workspace packages (TypeScript) go into the bundle; the rest, with the driver's native part, stays outside.
    external: Object.keys(dependencies)
      .filter(name => !name.startsWith('@portal/'))
      .flatMap(name => [name, `${name}/*`]),
  }),
  build({
    ...common,
    entryPoints: ['src/runtimes/worker.ts'],
    outfile: 'dist/worker.js',
    platform: 'neutral',
    mainFields: ['module', 'main'],
    conditions: ['workerd', 'worker', 'import'],
    // workerd supplies these (nodejs_compat).
    external: ['node:*', 'cloudflare:*'],
    alias: Object.fromEntries(
      [
        'buffer',
        'child_process',
        'crypto',
        'dns',
        'events',
        'fs',
        'http',
        'https',
        'net',
        'os',
        'path',
        'stream',
        'tls',
        'url',
        'util',
        'zlib',
        'punycode',
        'querystring',
        'string_decoder',
        'timers',
      ].map(name => [name, `node:${name}`]),
    ),
  }),
])
