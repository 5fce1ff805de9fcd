// Bundles the API for runtimes that cannot run the TypeScript sources directly: `dist/node.js` and `dist/worker.js`. With the
// argument `deno-deploy` or `server`, it creates a folder of that name in `dist`, which needs nothing else but the native
// driver.
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { build } from 'esbuild'

const folder = import.meta.dirname
const { dependencies } = JSON.parse(await readFile(path.join(folder, 'package.json'), 'utf8'))
const common = {
  bundle: true,
  format: 'esm',
  target: 'es2023',
  sourcemap: true,
  legalComments: 'none',
  logLevel: 'warning',
  absWorkingDir: folder,
  write: false,
}

/** Excludes the packages of the native driver, which only file databases load. */
const excludePackages = packages => ({
  name: 'without-driver',
  setup({ onResolve }) {
    onResolve({ filter: packages }, ({ path }) => ({ path, external: true }))
  },
})
const forDeno = (name, entryPoints, packages) =>
  build({
    ...common,
    entryPoints,
    outdir: `dist/${name}`,
    // Puts the code for file databases into separate chunks, which are loaded only if the database is a file.
    splitting: true,
    platform: 'node',
    conditions: ['deno', 'import'],
    plugins: [excludePackages(packages)],
    banner: {
      js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);",
    },
  })
const folders = {
  'deno-deploy': () =>
    forDeno(
      'deno-deploy',
      { main: 'src/runtimes/deno-deploy.ts' },
      /^(libsql|libsql\/promise|@libsql\/client)$/,
    ),
  server: () =>
    forDeno(
      'server',
      {
        server: 'src/runtimes/server.ts',
        'backup-thread': 'src/runtimes/backup-thread.ts',
        backup: 'src/runtimes/backup.ts',
        restore: 'src/runtimes/restore.ts',
        keys: 'src/runtimes/keys.ts',
        audit: 'src/runtimes/audit.ts',
        sandbox: 'src/payment-service/main.ts',
      },
      /^libsql(\/promise)?$/,
    ),
}

const built = await Promise.all([
  ...(folders[process.argv[2]] ? [folders[process.argv[2]]()] : []),
  build({
    ...common,
    entryPoints: { node: 'src/runtimes/server.ts', 'backup-thread': 'src/runtimes/backup-thread.ts' },
    outdir: 'dist',
    platform: 'node',
    // Bundles only the workspace packages (TypeScript); everything else, including the native driver, is external.
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
  // Renames the file once it is complete, so that a process that starts at that moment reads either the old or the new one.
  await mkdir(path.dirname(file), { recursive: true })
  const draft = `${file}.${process.pid}`
  await writeFile(draft, contents)
  await rename(draft, file)
}
