// Bundles the API for the runtimes that do not run TypeScript sources as they are: `dist/node.js`, `dist/worker.js`, and
// with the word `deno-deploy`, `dist/deno-deploy/main.js`, which needs no other file.
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
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
  write: false,
}

/** Only a database that is a file loads it, and no host that is deployed to has one. */
const withoutDriver = {
  name: 'without-driver',
  setup({ onResolve }) {
    onResolve({ filter: /^(libsql|@libsql\/client)$/ }, ({ path }) => ({ path, external: true }))
  },
}
const denoDeploy = () =>
  build({
    ...common,
    entryPoints: { main: 'src/runtimes/deno-deploy.ts' },
    outdir: 'dist/deno-deploy',
    // Code for file databases is in separate files, which are never loaded.
    splitting: true,
    platform: 'node',
    conditions: ['deno', 'import'],
    plugins: [withoutDriver],
    banner: {
      js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);",
    },
  })

const built = await Promise.all([
  ...(process.argv[2] === 'deno-deploy' ? [denoDeploy()] : []),
  build({
    ...common,
    entryPoints: { node: 'src/runtimes/server.ts', 'backup-thread': 'src/runtimes/backup-thread.ts' },
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

for (const { path: file, contents } of built.flatMap(({ outputFiles }) => outputFiles)) {
  // Renamed when complete, so that a process that starts now gets either the old or the new one.
  await mkdir(path.dirname(file), { recursive: true })
  const draft = `${file}.${process.pid}`
  await writeFile(draft, contents)
  await rename(draft, file)
}
