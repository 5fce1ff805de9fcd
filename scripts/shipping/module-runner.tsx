// Loads a release as the shell does, in a separate process that `module-check.mjs` starts. The process prints a verdict.
import { isRecord } from '@portal/contract/is-record'
import type { RemoteModule } from '@portal/contract/remote'
import { parseRemoteModule } from '@portal/contract/remote-module'
import { MemoryRouter } from '@portal/router/memory'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { type ComponentType, createElement, Suspense } from 'react'
import { prerenderToNodeStream } from 'react-dom/static'
import { errorText, loadExposedRoutes } from './simulated-page.ts'

export interface Verdict {
  /** A code of `module-reasons.mjs`; absent if the release is fine. */
  readonly reason?: string
  readonly message?: string
  /** Paths of the pages, relative to the mount point. */
  readonly paths?: readonly string[]
}

const iconProps = { 'aria-hidden': true, width: '1.25rem', height: '1.25rem', strokeWidth: 1.75 }

/** How long an icon may take to load, in milliseconds. */
const ICON_LIMIT_MS = 2000

/** Renders an icon as the sidebar does: inside a router and a query client. */
async function renderIcon(icon: RemoteModule['navigation'][number]['icon']): Promise<void> {
  const errors: unknown[] = []
  const abort = new AbortController()
  const element = createElement(icon as ComponentType<object>, iconProps)
  const tree = createElement(Suspense, { fallback: null }, element)
  const client = new QueryClient()
  const timer = setTimeout(
    () => abort.abort(new Error(`not rendered within ${ICON_LIMIT_MS / 1000} s`)),
    ICON_LIMIT_MS,
  )
  const { prelude } = await prerenderToNodeStream(
    <QueryClientProvider client={client}>
      <MemoryRouter>{tree}</MemoryRouter>
    </QueryClientProvider>,
    { onError: cause => void errors.push(cause), signal: abort.signal },
  )
  clearTimeout(timer)
  for await (const _ of prelude) void _
  if (errors.length > 0) throw errors[0]
}

/** Adds the label of the navigation item to an error message of the parser. */
function withLabel(message: string, exposed: unknown): string {
  const index = /^navigation\[(\d+)\]/.exec(message)?.[1]
  const items = isRecord(exposed) && Array.isArray(exposed.navigation) ? exposed.navigation : []
  const item: unknown = index && items[Number(index)]
  const label = isRecord(item) ? (item.label ?? item.tab) : undefined
  return typeof label === 'string' ? `${message} (${JSON.stringify(label.slice(0, 100))})` : message
}

async function checkBuild(build: string, app: string, release: string, contract: number): Promise<Verdict> {
  let exposed: unknown
  try {
    exposed = await loadExposedRoutes(build, app, release)
  } catch (cause) {
    return { reason: 'does-not-load', message: errorText(cause) }
  }
  let module: RemoteModule
  try {
    module = parseRemoteModule(exposed)
  } catch (cause) {
    const message = isRecord(cause) || cause instanceof Error ? String(cause.message) : String(cause)
    return { reason: 'invalid-module', message: withLabel(message, exposed) }
  }
  if (module.contract !== contract)
    return { reason: 'invalid-module', message: `contract must be ${contract}, as the shell's` }
  for (const [index, { icon, label }] of module.navigation.entries()) {
    const item = `navigation[${index}].icon (${JSON.stringify(label)})`
    try {
      await renderIcon(icon)
    } catch (cause) {
      return { reason: 'icon-fails', message: `${item} throws ${errorText(cause)}` }
    }
  }
  return { paths: module.routes.map(({ path }) => path) }
}

const [build = '', app = '', release = '', contract = ''] = process.argv.slice(2)
// Errors after this, for example in a timer, do not prevent a release from loading.
process.on('uncaughtException', () => undefined)
process.on('unhandledRejection', () => undefined)
checkBuild(build, app, release, Number(contract)).then(verdict => {
  process.stdout.write(`${JSON.stringify(verdict)}\n`, () => process.exit(0))
})
