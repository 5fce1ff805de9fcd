// Settings of rspack's development server.
import type { Configuration } from '@rspack/core'
import { microFrontends } from './apps.mjs'

/** The host name that browsers use for this machine, if one is set. */
function publicHost() {
  const { PUBLIC_URL = '' } = process.env
  return URL.canParse(PUBLIC_URL) ? [new URL(PUBLIC_URL).hostname] : []
}

/** One origin in development too: the shell's server proxies the API and the remotes. */
function developmentOrigin(): Configuration['devServer'] {
  const remotes = microFrontends()
  // When several run together, HOST sets their address (scripts/dev.mjs).
  const others = `http://${process.env.OTHERS_HOST ?? '127.0.0.1'}`
  const ports = JSON.parse(process.env.OTHERS_PORTS ?? '{}')
  const api = `${others}:${process.env.API_PORT ?? 8080}`
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
        target: `${others}:${ports[name] ?? port}`,
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

/** The settings of an app's server, for pages at its own port or at the shell's. */
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
  // IP addresses are always allowed.
  allowedHosts: ['localhost', ...publicHost()],
  client: {
    // The page's host, but not its port, which may be the shell's.
    webSocketURL: `ws://0.0.0.0:${port}/ws`,
    logging: 'warn',
    // Errors while running have their own overlay, with source files (packages/standalone).
    overlay: { errors: true, warnings: false, runtimeErrors: false },
  },
  ...(isShell && developmentOrigin()),
})
