// The build configuration of all browser apps, and the only list of shared dependencies. Unusual settings come from
// measurements or avoid known problems; see docs/decisions and the comments here.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { ModuleFederationPlugin } from '@module-federation/enhanced/rspack'
import { type Configuration, type RuleSetRules, rspack } from '@rspack/core'
import { ReactRefreshRspackPlugin } from '@rspack/plugin-react-refresh'
import { CONTRACT, START } from './packages/contract/src/version.ts'
import { type App, apps as allApps } from './scripts/lib/apps.mjs'
import { apiReference } from './scripts/lib/build-api-reference.ts'
import { pagePlugins } from './scripts/lib/build-page.ts'
import { recordFirstFiles, rejectForeignStyles, sortHashTables } from './scripts/lib/build-plugins.ts'
import { developmentServer } from './scripts/lib/development-server.ts'
import { leanFederation, requireAllReplaced } from './scripts/lib/federation-loader.mjs'
import { esRuntime, runtimeByName } from './scripts/lib/federation-runtime.ts'
import { replaceableReact } from './scripts/lib/react-loader.mjs'
import { hashSources, releaseIdOf } from './scripts/release-id.mjs'

const root = import.meta.dirname

// The exports in react-router's package.json only name its development build, which prints warnings.
const routerFolder = path.join(root, 'node_modules/react-router/dist/production')
const routerBuild = path.join(routerFolder, 'index.mjs')
const routerDomBuild = path.join(routerFolder, 'dom-export.mjs')

// packages/ui sets the size and stroke of icons itself; the library's code for this is larger than the icons.
const lucideIcon = {
  [path.join(root, 'node_modules/lucide-react/dist/esm/createLucideIcon.mjs')]: path.join(
    root,
    'packages/ui/src/lucide-icon.tsx',
  ),
}

const manifest = (file: string): { version: string; dependencies: Record<string, string> } =>
  JSON.parse(readFileSync(path.join(root, file), 'utf8'))

// Set here, because Module Federation otherwise takes the version from the package.json of the folder in which a build starts,
// and includes it in the shell.
Object.assign(process.env, { MF_BUILD_VERSION: manifest('shell/package.json').version })

/** Returns the shared dependencies: singletons that the shell provides eagerly and the remotes consume. */
function sharedDependencies(shell: boolean, dev: boolean) {
  const { dependencies } = manifest('package.json')
  const fromNpm = ['react', 'react-dom', 'zustand', '@tanstack/react-query']
  // Of our own packages, only the router and modules with state are shared; everything else is bundled where it is
  // used.
  const sharedEntries = { session: ['/store'], router: [''], api: ['/call', '/error', '/settings', '/cache'] }
  // Visitors do not use queries, so these modules are only loaded with the first page that uses them.
  const lazyModules = new Set(['@tanstack/react-query', '@portal/api/cache'])
  const sharedModule = (name: string, version: string | undefined) => ({
    singleton: true,
    strictVersion: !shell,
    requiredVersion: `^${version}`,
    eager: shell && !lazyModules.has(name),
    // A released remote contains no copy of a shared package: the shell always provides it, and there must never be a second
    // React.
    ...(!shell && !dev && { import: false as const }),
  })
  const shared = [
    ...fromNpm.map(name => [name, sharedModule(name, dependencies[name])] as const),
    ...Object.entries(sharedEntries).flatMap(([name, parts]) =>
      parts.map(part => {
        const id = `@portal/${name}${part}`
        return [id, sharedModule(id, manifest(`packages/${name}/package.json`).version)] as const
      }),
    ),
  ]
  return Object.fromEntries(shared)
}

/**
 * Returns what a remote requires of its shell, or the packages that the shell provides. The two are compared before a release
 * is published.
 */
function stampOf(name: string): string {
  const shell = name === 'shell'
  const shared = Object.entries(sharedDependencies(shell, false)).map(([part, { requiredVersion }]) => [
    part,
    shell ? requiredVersion.slice(1) : requiredVersion,
  ])
  const compatibility = { contract: CONTRACT, start: START, shared: Object.fromEntries(shared) }
  const identity = { app: name, release: releaseIdOf(name), sources: hashSources(name) }
  return JSON.stringify({ ...identity, [shell ? 'has' : 'needs']: compatibility })
}

/** Adds a generated file to a build. */
const generatedFile = (to: string, content: () => string) =>
  new rspack.CopyRspackPlugin({ patterns: [{ from: 'package.json', to, transform: content }] })

/** The only module that a micro-frontend exposes. */
const exposes = { './routes': './src/routes.tsx' }

type Part<Key extends keyof Configuration> = NonNullable<Configuration[Key]>

/** Describes one build of an app. */
interface Build extends Pick<App, 'name' | 'area'> {
  dev: boolean
  shell: boolean
  /** True for the shell and, in development, for a standalone micro-frontend. */
  withPage: boolean
  folder: string
  /** The name of the federation container. */
  container: string
}

function entryOf({ dev, shell, withPage, folder }: Build): Part<'entry'> {
  if (!withPage) return {}
  // A standalone micro-frontend does not provide shared packages eagerly, so its entry must wait for them, hence the import().
  // The order of the CSS layers must be defined before any other chunk is loaded.
  const [styles, start] = ['../packages/ui/src/styles.css', 'src/dev.tsx'].map(file =>
    JSON.stringify(path.join(folder, file)),
  )
  const standalone = `data:text/javascript,import(${styles}).then(() => import(${start}))`
  const entry = shell ? './src/main.tsx' : standalone
  const overlay = path.join(root, 'packages/standalone/src/error-overlay.ts')
  return {
    [shell ? 'shell' : 'standalone']: dev ? [...(shell ? ['./src/dev-hook.ts'] : []), overlay, entry] : entry,
  }
}

function outputOf({ name, dev, shell, folder, container }: Build): Part<'output'> {
  const hashedName = (extension: string) =>
    dev ? `[name].${extension}` : `${extension}/[name].[contenthash:10].${extension}`
  return {
    path: path.join(folder, 'dist'),
    // In development, an open page can still request an update of the previous build, so its files are kept.
    clean: !dev,
    publicPath: shell ? '/' : 'auto',
    crossOriginLoading: 'anonymous',
    // Two releases of one remote on a page must not share chunk tables.
    uniqueName: dev ? container : `${container}_${releaseIdOf(name)}`,
    filename: hashedName('js'),
    chunkFilename: hashedName('js'),
    cssFilename: hashedName('css'),
    cssChunkFilename: hashedName('css'),
    assetModuleFilename: 'assets/[name].[contenthash:10][ext]',
  }
}

const rulesOf = ({ dev, shell, container }: Build): RuleSetRules => [
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
  !dev && leanFederation(path.join(root, 'node_modules/@module-federation'), shell ? 'shell' : 'remote'),
  shell && !dev && replaceableReact(path.join(root, 'node_modules')),
  { test: /\.mjs$/, include: routerFolder, loader: path.join(root, 'scripts/lib/pure-loader.mjs') },
  {
    test: /\.css$/,
    type: 'css/auto',
    parser: { namedExports: false },
    generator: { localIdentName: dev ? '[name]-[local]' : `${container}-[hash:8]-[local]` },
  },
  { test: /\.(?:woff2|png|jpe?g|webp|avif|svg|ico)$/, type: 'asset/resource' },
]

const federation = ({ dev, shell, container }: Build) =>
  new ModuleFederationPlugin({
    name: container,
    ...(!shell && {
      exposes,
      // The entry is at the root of the release, so that publicPath 'auto' is correct.
      filename: dev ? 'remoteEntry.js' : 'remoteEntry.[contenthash:10].js',
    }),
    remotes: {}, // resolved at run time from /config/remotes.json
    manifest: shell ? false : { disableAssetsAnalyze: true }, // otherwise the runtime adds chunks without integrity
    dts: false, // types come from packages/contract
    shareStrategy: 'loaded-first',
    shared: sharedDependencies(shell, dev),
    experiments: {
      optimization: { target: 'web', disableSnapshot: true, ...(!shell && { disableRemote: true }) },
    },
  })

const pluginsOf = (build: Build): Part<'plugins'> => {
  const { name, area, dev, shell, withPage } = build
  return [
    federation(build),
    ...(withPage ? pagePlugins(build) : []),
    !dev && requireAllReplaced(shell ? 'shell' : 'remote'),
    runtimeByName,
    !dev && sortHashTables,
    !dev && !shell && recordFirstFiles,
    !dev && !shell && rejectForeignStyles(name),
    // The area is part of the release, so that every pointer to it has the right area.
    area && generatedFile('area.json', () => JSON.stringify(area)),
    !dev && generatedFile('stamp.json', () => stampOf(name)),
    dev
      ? new ReactRefreshRspackPlugin()
      : new rspack.SubresourceIntegrityPlugin({ hashFuncNames: ['sha384'] }),
  ]
}

const optimizationOf = ({ name }: Build): Part<'optimization'> => ({
  // Modules are numbered in order of use, because an ID that is hashed from the path of a shared package would depend on the
  // folder of the checkout.
  moduleIds: 'natural',
  chunkIds: 'natural',
  // If a build with errors were emitted, the update would reload the page and typed input would be lost.
  emitOnErrors: false,
  splitChunks: {
    // The default is 20 kB. Sizes include comments, so without a margin longer comments would split off more chunks.
    minSize: 25_000,
    // Staff screens are always loaded together with their frame, so modules that several of them use are loaded once, with it.
    ...(name === 'mfe-admin' && {
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
    }),
  },
  minimizer: [
    new rspack.SwcJsMinimizerRspackPlugin({
      extractComments: false,
      minimizerOptions: {
        ecma: 2022,
        compress: { passes: 3, ecma: 2022 },
        format: { comments: false },
      },
    }),
    // The targets are browsers with light-dark() and relative colours, which the tokens use; older targets would double the
    // style sheets.
    new rspack.LightningCssMinimizerRspackPlugin({
      minimizerOptions: { targets: ['chrome >= 123', 'firefox >= 128', 'safari >= 17.5'] },
    }),
  ],
})

function app({ name, port: usualPort, area }: App) {
  return (dev: boolean): Configuration => {
    const shell = name === 'shell'
    const folder = path.join(root, name)
    const container = name.replaceAll('-', '_')
    const build: Build = { name, area, dev, shell, withPage: shell || dev, folder, container }
    return {
      name,
      context: folder,
      mode: dev ? 'development' : 'production',
      target: ['web', 'es2022'],
      // Never eval-*, so that development runs with the production CSP.
      devtool: dev ? 'cheap-module-source-map' : 'hidden-source-map',
      entry: entryOf(build),
      output: outputOf(build),
      resolve: {
        extensions: ['.tsx', '.ts', '.js'],
        alias: {
          ...esRuntime,
          ...lucideIcon,
          ...(!dev && { 'react-router$': routerBuild, 'react-router/dom$': routerDomBuild }),
        },
      },
      module: { rules: rulesOf(build) },
      plugins: pluginsOf(build),
      optimization: optimizationOf(build),
      performance: false,
      // The script that starts this server prints the address.
      infrastructureLogging: { level: 'error' },
      // Rules of different modules only meet on an element if they are in different cascade layers, so their order does
      // not matter.
      ignoreWarnings: [/Conflicting order/],
      lazyCompilation: false, // a remote's trigger request would go to the shell's origin and hang
      // DEV_PORT sets the port if a single app is started; `npm run dev` sets a port for each.
      devServer: developmentServer({ isShell: shell, port: Number(process.env.DEV_PORT) || usualPort }),
    }
  }
}

const apps = new Map(allApps().map(item => [item.name, app(item)]))

/**
 * Returns the builds. Usage: `rspack build -c ../rspack.config.ts --mode production --env app=mfe-user`; without `app`, all
 * apps are built.
 */
export default (env: { app?: string }, argv: { mode?: string }) => {
  const names = env.app ? [env.app] : [...apps.keys()]
  const dev = argv.mode !== 'production'
  return names.flatMap(name => {
    const configure = apps.get(name)
    if (!configure) throw new Error(`Unknown app ${name}: use one of ${[...apps.keys()].join(', ')}.`)
    // In development, the API shows the API reference of the last production build.
    return name === 'shell' && !dev ? [configure(dev), apiReference()] : [configure(dev)]
  })
}
