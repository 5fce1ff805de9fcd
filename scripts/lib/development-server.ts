// Settings of rspack's development server.
import type { Configuration } from '@rspack/core'
import { microFrontends } from './apps.mjs'

/** The host name that browsers use for this machine, if one is set. */
export function publicHost() {
  const { PUBLIC_URL = '' } = process.env
  return URL.canParse(PUBLIC_URL) ? [new URL(PUBLIC_URL).hostname] : []
}

/** One origin in development too: the shell's server proxies the API and the remotes. */
export function developmentOrigin(): Configuration['devServer'] {
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
