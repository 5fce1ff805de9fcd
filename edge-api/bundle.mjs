// Bundles the API for the runtimes that do not run TypeScript sources as they are: `dist/node.js`, `dist/worker.js`.
import { rm } from 'node:fs/promises'
import path from 'node:path'
import { build } from 'esbuild'

const here = import.meta.dirname
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
    entryPoints: ['src/runtimes/node.ts'],
    outfile: 'dist/node.js',
    platform: 'node',
    // The driver's native part is found beside it in node_modules.
    packages: 'external',
    // Workspace packages are TypeScript: they go into the bundle.
    plugins: [
      {
        name: 'workspace-packages',
        setup({ onResolve, resolve }) {
          onResolve({ filter: /^@portal\// }, ({ path: name, pluginData, ...rest }) =>
            pluginData === 'resolved'
              ? undefined
              : resolve(name, { ...rest, pluginData: 'resolved' }).then(({ path: found }) => ({
                  path: found,
                })),
          )
        },
      },
    ],
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
