// Settings of rspack's development server.
import path from 'node:path'
import type { Configuration } from '@rspack/core'
import { build } from 'esbuild'
import { microFrontends } from './apps.mjs'

/** Returns the host names of PUBLIC_URL and DEV_PORTAL, if they are set: browsers use these names for this machine. */
function publicHosts() {
  const { PUBLIC_URL = '', DEV_PORTAL = '' } = process.env
  return [PUBLIC_URL, DEV_PORTAL].flatMap(address =>
    URL.canParse(address) ? [new URL(address).hostname] : [],
  )
}

/** Returns React's development build for the shell of another portal, in which this micro-frontend is an override. */
async function buildDevelopmentReact(): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [path.join(import.meta.dirname, 'development-react.ts')],
    bundle: true,
    write: false,
    format: 'iife',
    define: { 'process.env.NODE_ENV': '"development"' },
  })
  return outputFiles[0]?.text ?? ''
}

/**
 * Returns the settings for a micro-frontend that is shown in a running portal (`npm run dev -w mfe-user -- --portal
 * <address>`).
 */
const settingsForPortal = (origin: string): Configuration['devServer'] => ({
  setupMiddlewares: middlewares => [
    {
      name: 'development-react',
      path: '/development-react.js',
      middleware: (_request, response, next) => {
        buildDevelopmentReact().then(code => {
          response.setHeader('content-type', 'text/javascript')
          response.setHeader('cache-control', 'no-cache')
          response.setHeader('access-control-allow-origin', '*')
          response.end(code)
        }, next)
      },
    },
    ...middlewares,
  ],
  client: {
    webSocketURL: `${origin.replace(/^http/, 'ws')}/ws`,
    logging: 'warn',
    // The portal's content security policy forbids the overlay, which is a script that writes HTML.
    overlay: false,
  },
})

/**
 * Returns the settings for the shell's server, which proxies the API and the remotes, so that there is one origin in
 * development too.
 */
function settingsForShell(): Configuration['devServer'] {
  const remotes = microFrontends()
  // When several apps run together, HOST sets their address (scripts/dev.mjs).
  const baseUrl = `http://${process.env.OTHERS_HOST ?? '127.0.0.1'}`
  const ports = JSON.parse(process.env.OTHERS_PORTS ?? '{}')
  const api = `${baseUrl}:${process.env.API_PORT ?? 8080}`
  const config = {
    revision: 'dev',
    api: '/api',
    remotes: remotes.map(({ name, area }) => ({
      name,
      manifest: `/r/${name}/dev/mf-manifest.json`,
      ...(area && { area }),
    })),
  }
  return {
    proxy: [
      { context: ['/api', '/mailbox', '/.well-known'], target: api },
      ...remotes.map(({ name, port }) => ({
        context: [`/r/${name}/dev`],
        target: `${baseUrl}:${ports[name] ?? port}`,
        pathRewrite: { [`^/r/${name}/dev`]: '' },
      })),
    ],
    setupMiddlewares: middlewares => [
      {
        name: 'remotes',
        path: '/config/remotes.json',
        middleware: (_request, response) => {
          response.setHeader('content-type', 'application/json')
          response.end(JSON.stringify(config))
        },
      },
      ...middlewares,
    ],
  }
}

/** Returns the settings of an app's server, for pages at its own port or at the shell's. */
export const developmentServer = ({
  isShell,
  port,
}: {
  isShell: boolean
  port: number
}): NonNullable<Configuration['devServer']> => ({
  host: process.env.DEV_HOST || '127.0.0.1',
  port,
  hot: true,
  historyApiFallback: true,
  headers: { 'access-control-allow-origin': '*' },
  // IP addresses need no entry: they are always allowed.
  allowedHosts: ['localhost', ...publicHosts()],
  client: {
    // The address 0.0.0.0 stands for the host of the page. Its port is not used, because that may be the shell's.
    webSocketURL: `ws://0.0.0.0:${port}/ws`,
    logging: 'warn',
    // Errors at run time have our own overlay, which names source files (packages/standalone).
    overlay: { errors: true, warnings: false, runtimeErrors: false },
  },
  ...(isShell && settingsForShell()),
  ...(!isShell && process.env.DEV_ORIGIN && settingsForPortal(process.env.DEV_ORIGIN)),
})
