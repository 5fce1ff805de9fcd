// One configuration for all browser apps, and the only list of shared dependencies. Every setting that looks
// odd was measured or is a trap avoided: see docs/decisions and the comments here.
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { ModuleFederationPlugin } from '@module-federation/enhanced/rspack'
import { type Configuration, rspack } from '@rspack/core'
import { ReactRefreshRspackPlugin } from '@rspack/plugin-react-refresh'
import { transformSync } from 'esbuild'
import { CONTRACT, START } from './packages/contract/src/version.ts'
import { type App, apps as appsOfHouse } from './scripts/lib/apps.mjs'
import { firstFiles, ownStyles, sortedHashes } from './scripts/lib/build-plugins.ts'
import { developmentOrigin, publicHost } from './scripts/lib/development-server.ts'
import { everyPartReplaced, leanFederation } from './scripts/lib/federation-loader.mjs'
import { esRuntime, runtimeByName } from './scripts/lib/federation-runtime.ts'
import { releaseOf, sourcesOf } from './scripts/release.mjs'

const root = import.meta.dirname

// Its package exports name the development build alone, warnings and all.
const routerFolder = path.join(root, 'node_modules/react-router/dist/production')
const routerBuild = path.join(routerFolder, 'index.mjs')
const routerDomBuild = path.join(routerFolder, 'dom-export.mjs')

// Sizes and strokes of icons are set in packages/ui; the library's own machinery for them is heavier than the icons.
const lucideIcon = {
  [path.join(root, 'node_modules/lucide-react/dist/esm/createLucideIcon.mjs')]: path.join(
    root,
    'packages/ui/src/lucide-icon.tsx',
  ),
}

/** The worker that answers instead of the API when a micro-frontend runs standalone. */
const mocks = path.join(root, 'packages/mocks/public')

const manifest = (file: string): { version: string; dependencies: Record<string, string> } =>
  JSON.parse(readFileSync(path.join(root, file), 'utf8'))

/** What exists once in the page: provided by the shell at once, only asked for by the remotes. */
function sharedWith(shell: boolean, dev: boolean) {
  const { dependencies } = manifest('package.json')
  const fromNpm = ['react', 'react-dom', 'zustand', '@tanstack/react-query']
  // Of our packages only what holds state, plus the router's short list: everything else is bundled where it is used.
  const ours = { session: ['/store'], router: [''], api: ['/call', '/error', '/settings', '/cache'] }
  // Visitors do without queries: their library comes with the first page that asks for it.
  const later = new Set(['@tanstack/react-query', '@portal/api/cache'])
  const one = (name: string, version: string | undefined) => ({
    singleton: true,
    strictVersion: !shell,
    requiredVersion: `^${version}`,
    eager: shell && !later.has(name),
    // A released remote carries no copy of its own: the shell always provides, and a second React must never appear.
    ...(!shell && !dev && { import: false as const }),
  })
  const shared = [
    ...fromNpm.map(name => [name, one(name, dependencies[name])] as const),
    ...Object.entries(ours).flatMap(([name, parts]) =>
      parts.map(part => {
        const id = `@portal/${name}${part}`
        return [id, one(id, manifest(`packages/${name}/package.json`).version)] as const
      }),
    ),
  ]
  return Object.fromEntries(shared)
}

/** What must run before the first paint: a small blocking script, a hashed file because of the CSP. */
function bootScript(dev: boolean) {
  const source = path.join(root, 'shell/src/boot.js')
  const code = readFileSync(source, 'utf8')
  const bytes = dev ? code : transformSync(code, { minify: true, target: 'es2022' }).code
  const digest = (algorithm: string, encoding: 'hex' | 'base64') =>
    createHash(algorithm).update(bytes).digest(encoding)
  const file = dev ? 'js/boot.js' : `js/boot.${digest('sha256', 'hex').slice(0, 10)}.js`
  return { source, bytes, file, integrity: `sha384-${digest('sha384', 'base64')}` }
}

/** What a release needs of the shell, or the shell has for it: compared before a release is published. */
function stampOf(name: string): string {
  const shell = name === 'shell'
  const shared = Object.entries(sharedWith(shell, false)).map(([part, { requiredVersion }]) => [
    part,
    shell ? requiredVersion.slice(1) : requiredVersion,
  ])
  const fit = { contract: CONTRACT, start: START, shared: Object.fromEntries(shared) }
  const made = { app: name, release: releaseOf(name), sources: sourcesOf(name) }
  return JSON.stringify({ ...made, [shell ? 'has' : 'needs']: fit })
}

/** A file of a build that no source file stands for. */
const written = (to: string, content: () => string) =>
  new rspack.CopyRspackPlugin({ patterns: [{ from: 'package.json', to, transform: content }] })

/** Only this is of a micro-frontend that others see. */
const exposes = { './routes': './src/routes.tsx' }

function app({ name, port: usualPort, area }: App) {
  return (dev: boolean): Configuration => {
    // Of one app alone; several at once have their own.
    const port = Number(process.env.DEV_PORT) || usualPort
    const folder = path.join(root, name)
    const shell = name === 'shell'
    const withPage = shell || dev
    const release = dev ? 'dev' : releaseOf(name)
    const container = name.replaceAll('-', '_')
    const hashed = (extension: string) =>
      dev ? `[name].${extension}` : `${extension}/[name].[contenthash:10].${extension}`
    const boot = bootScript(dev)
    // Alone, nobody provides the shared packages at once: the entry must wait for them, hence the import().
    // The order of the CSS layers comes first, whichever chunk is loaded next.
    const [styles, start] = ['../packages/ui/src/styles.css', 'src/dev.tsx'].map(each =>
      JSON.stringify(path.join(folder, each)),
    )
    const standalone = `data:text/javascript,import(${styles}).then(() => import(${start}))`
    const entry = shell ? './src/main.tsx' : standalone
    return {
      name,
      context: folder,
      mode: dev ? 'development' : 'production',
      target: ['web', 'es2022'],
      // Never an eval-* kind: development then runs under the production policy too.
      devtool: dev ? 'cheap-module-source-map' : 'hidden-source-map',
      entry: withPage
        ? { [shell ? 'shell' : 'standalone']: dev && shell ? ['./src/dev-hook.ts', entry] : entry }
        : {},
      output: {
        path: path.join(folder, 'dist'),
        // In development a page may still ask for an update of the build before.
        clean: !dev,
        publicPath: shell ? '/' : 'auto',
        crossOriginLoading: 'anonymous',
        // Two releases of one remote in one page must not share chunk tables.
        uniqueName: dev ? container : `${container}_${release}`,
        filename: hashed('js'),
        chunkFilename: hashed('js'),
        cssFilename: hashed('css'),
        cssChunkFilename: hashed('css'),
        assetModuleFilename: 'assets/[name].[contenthash:10][ext]',
      },
      resolve: {
        extensions: ['.tsx', '.ts', '.js'],
        alias: {
          ...esRuntime,
          ...lucideIcon,
          ...(!dev && { 'react-router$': routerBuild, 'react-router/dom$': routerDomBuild }),
        },
      },
      module: {
        rules: [
          {
            test: /\.tsx?$/,
            exclude: /node_modules/,
            type: 'javascript/auto',
            loader: 'builtin:swc-loader',
            options: {
              jsc: {
                target: 'es2022',
                parser: { syntax: 'typescript', tsx: true },
                transform: { react: { runtime: 'automatic', development: dev, refresh: dev } },
              },
            },
          },
          !dev &&
            leanFederation(path.join(root, 'node_modules/@module-federation'), shell ? 'shell' : 'remote'),
          { test: /\.mjs$/, include: routerFolder, loader: path.join(root, 'scripts/lib/pure-loader.mjs') },
          {
            test: /\.css$/,
            type: 'css/auto',
            parser: { namedExports: false },
            generator: { localIdentName: dev ? '[name]-[local]' : `${container}-[hash:8]-[local]` },
          },
          { test: /\.(?:woff2|png|jpe?g|webp|avif|svg|ico)$/, type: 'asset/resource' },
        ],
      },
      plugins: [
        new ModuleFederationPlugin({
          name: container,
          ...(!shell && {
            exposes,
            // At the root of the release, so that publicPath 'auto' needs no correction.
            filename: dev ? 'remoteEntry.js' : 'remoteEntry.[contenthash:10].js',
          }),
          remotes: {}, // found at run time, in /config/remotes.json
          manifest: shell ? false : { disableAssetsAnalyze: true }, // else the runtime adds chunks itself, without integrity
          dts: false, // types come from packages/contract
          shareStrategy: 'loaded-first',
          shared: sharedWith(shell, dev),
          experiments: {
            optimization: { target: 'web', disableSnapshot: true, ...(!shell && { disableRemote: true }) },
          },
        }),
        withPage &&
          new rspack.HtmlRspackPlugin({
            template: path.join(root, 'shell/index.html'),
            publicPath: '/', // pages live at any depth
            chunks: [shell ? 'shell' : 'standalone'],
            templateParameters: {
              boot: boot.file,
              integrity: boot.integrity,
              // A standalone micro-frontend has no releases to look up.
              early: shell ? 'yes' : 'no',
              // Nor a server that knows the institution's colour: such a link loads nothing.
              brand: shell ? 'stylesheet' : 'alternate',
            },
          }),
        withPage &&
          new rspack.CopyRspackPlugin({
            patterns: [
              { from: boot.source, to: boot.file, info: { minimized: true }, transform: () => boot.bytes },
            ],
          }),
        withPage && new rspack.CopyRspackPlugin({ patterns: [{ from: 'public', noErrorOnMissing: true }] }),
        withPage &&
          !shell &&
          new rspack.CopyRspackPlugin({ patterns: [{ from: mocks }, { from: '../shell/public' }] }),
        !dev && everyPartReplaced(shell ? 'shell' : 'remote'),
        runtimeByName,
        !dev && sortedHashes,
        !dev && !shell && firstFiles,
        !dev && !shell && ownStyles(name),
        // Part of the release, so that a pointer to it, old or new, says where it belongs.
        area && written('area.json', () => JSON.stringify(area)),
        !dev && written('stamp.json', () => stampOf(name)),
        dev
          ? new ReactRefreshRspackPlugin()
          : new rspack.SubresourceIntegrityPlugin({ hashFuncNames: ['sha384'] }),
      ],
      optimization: {
        // By order of use: ids that are hashes of addresses follow the folder's path where packages are shared.
        moduleIds: 'natural',
        chunkIds: 'natural',
        // Every screen of staff comes with its frame: what both use is loaded once.
        ...(name === 'mfe-admin' && {
          splitChunks: {
            cacheGroups: {
              frame: {
                chunks: 'async' as const,
                name: 'with-frame',
                minChunks: 2,
                enforce: true,
                test: (module, { chunkGraph }) =>
                  chunkGraph.getModuleChunks(module).some(chunk => chunk.name === 'frame'),
              },
            },
          },
        }),
        minimizer: [
          new rspack.SwcJsMinimizerRspackPlugin({
            extractComments: false,
            minimizerOptions: {
              ecma: 2022,
              compress: { passes: 3, ecma: 2022 },
              format: { comments: false },
            },
          }),
          // The browsers whose light-dark() and relative colours the tokens use: older targets double the style sheets.
          new rspack.LightningCssMinimizerRspackPlugin({
            minimizerOptions: { targets: ['chrome >= 123', 'firefox >= 128', 'safari >= 17.5'] },
          }),
        ],
      },
      performance: false,
      // Where it listens is told by who starts it.
      infrastructureLogging: { level: 'error' },
      // Rules of different modules meet on one element only across cascade layers, so their order is no matter.
      ignoreWarnings: [/Conflicting order/],
      lazyCompilation: false, // a remote's trigger request would go to the shell's origin and hang
      devServer: {
        host: process.env.DEV_HOST || '127.0.0.1',
        port,
        hot: true,
        historyApiFallback: true,
        headers: { 'access-control-allow-origin': '*' },
        // The page comes from the shell's port, or from this one. Addresses in digits are always taken.
        allowedHosts: ['localhost', ...publicHost()],
        // The page's own host, and not its port: it may be the shell's.
        client: { webSocketURL: `ws://0.0.0.0:${port}/ws`, logging: 'warn' },
        ...(shell && developmentOrigin()),
      },
    }
  }
}

const apps = new Map(appsOfHouse().map(each => [each.name, app(each)]))

/** `rspack build -c ../rspack.config.ts --mode production --env app=mfe-user`; without `app`, all. */
export default (env: { app?: string }, argv: { mode?: string }) => {
  const names = env.app ? [env.app] : [...apps.keys()]
  return names.map(name => {
    const configured = apps.get(name)
    if (!configured)
      throw new Error(`There is no app called ${name}: use one of ${[...apps.keys()].join(', ')}.`)
    return configured(argv.mode !== 'production')
  })
}
