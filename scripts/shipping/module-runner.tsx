// Loads a release like the shell, in a separate process: `module-check.mjs` starts it and reads the verdict. The release's
// code runs in a context without Node, with what a page has before rendering.
import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import vm from 'node:vm'
import { isRecord } from '@portal/contract/is-record'
import type { RemoteModule } from '@portal/contract/remote'
import { parseRemoteModule } from '@portal/contract/remote-module'
import { MemoryRouter } from '@portal/router/memory'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { type ComponentType, createElement, Suspense } from 'react'
import { prerenderToNodeStream } from 'react-dom/static'

/** The shell's shared packages by name, loaded on demand. */
const shared: Readonly<Record<string, () => Promise<object>>> = {
  react: () => import('react'),
  'react-dom': () => import('react-dom'),
  zustand: () => import('zustand'),
  '@tanstack/react-query': () => import('@tanstack/react-query'),
  '@portal/session/store': () => import('@portal/session/store'),
  '@portal/router': () => import('@portal/router'),
  '@portal/api/call': () => import('@portal/api/call'),
  '@portal/api/error': () => import('@portal/api/error'),
  '@portal/api/settings': () => import('@portal/api/settings'),
  '@portal/api/cache': () => import('@portal/api/cache'),
}

export interface Verdict {
  /** One of `module-reasons.mjs`; absent if the release is fine. */
  readonly reason?: string
  readonly message?: string
  /** Paths of the pages, relative to the mount point. */
  readonly paths?: readonly string[]
}

const ORIGIN = 'https://portal.invalid'

const textOf = (cause: unknown) =>
  isRecord(cause) && typeof cause.message === 'string' ? `${cause.name}: ${cause.message}` : String(cause)

interface BuildRuntime {
  f: Record<string, (chunk: string | number, promises: Promise<unknown>[]) => void>
  m: Record<string, (module: { exports: unknown }) => void>
  initializeExposesData: { moduleMap: Record<string, () => Promise<() => unknown>> }
  consumesLoadingData?: {
    chunkMapping?: Record<string, string[]>
    moduleIdToConsumeDataMapping?: Record<string, { shareKey: string }>
  }
  initContainer: () => void
  getContainer: (name: string) => Promise<() => unknown>
}

/** The shell's part of starting a release (`scripts/lib/federation-start.mjs`), with shared packages only. */
function startFederation(runtime: BuildRuntime) {
  const { consumesLoadingData: { chunkMapping = {}, moduleIdToConsumeDataMapping: consumed = {} } = {} } =
    runtime
  runtime.f.consumes = (chunk, promises) => {
    for (const id of chunkMapping[chunk] ?? []) {
      const name = consumed[id]?.shareKey ?? ''
      const provide = shared[name]
      if (!provide) throw new Error(`The shell does not share ${name}.`)
      promises.push(
        provide().then(content => {
          runtime.m[id] = module => {
            module.exports = content
          }
        }),
      )
    }
  }
  runtime.initContainer = () => undefined
  runtime.getContainer = async name => {
    const expose = runtime.initializeExposesData.moduleMap[name]
    if (!expose) throw new Error(`The container has no ${name}.`)
    return expose()
  }
}

/** Placeholder for browser objects: any property, call or construction returns it. */
const anything: object = new Proxy(() => undefined, {
  get: (_, key) => (key === Symbol.toPrimitive ? () => '' : key === 'then' ? undefined : anything),
  apply: () => anything,
  construct: () => anything,
})

/** Globals of a page that code can use while it is loaded. */
const ofPages = [
  ...['localStorage', 'sessionStorage', 'matchMedia', 'getComputedStyle', 'CSS', 'customElements', 'history'],
  ...[
    'HTMLElement',
    'Element',
    'Node',
    'screen',
    'indexedDB',
    'requestAnimationFrame',
    'requestIdleCallback',
  ],
  ...['IntersectionObserver', 'ResizeObserver', 'MutationObserver', 'BroadcastChannel', 'Worker'],
  ...['addEventListener', 'removeEventListener', 'dispatchEvent', 'caches', 'trustedTypes', 'visualViewport'],
]

interface Tag {
  src?: string
  href?: string
  integrity?: string
  onload?: (event: object) => void
  onerror?: (event: object) => void
}

/** A simulated page that loads files of `build` with tags and checks their integrity. */
function openPage(build: string, base: string) {
  const current: Tag = { src: base }
  const fileOf = (address: string) => {
    const file = path.resolve(
      build,
      decodeURIComponent(new URL(address, base).pathname.split('/').slice(4).join('/')),
    )
    if (!address.startsWith(base.slice(0, base.lastIndexOf('/') + 1)) || !file.startsWith(build + path.sep))
      throw new Error(`${address} is not a file of the release`)
    return file
  }
  const load = (tag: Tag) => {
    const address = tag.src ?? tag.href ?? ''
    const bytes = readFileSync(fileOf(address))
    const hash = `sha384-${createHash('sha384').update(bytes).digest('base64')}`
    if (tag.integrity && tag.integrity !== hash)
      throw new Error(`${address} is not the file that the entry pins`)
    if (tag.src) vm.runInContext(bytes.toString(), context, { filename: address })
  }
  const append = (tag: Tag) => {
    setImmediate(() => {
      try {
        load(tag)
        tag.onload?.({ type: 'load', target: tag })
      } catch (cause) {
        failures.push(cause)
        tag.onerror?.({ type: 'error', target: tag })
      }
    })
    return tag
  }
  const failures: unknown[] = []
  const element = (): object => {
    const attributes: Record<string, string> = {}
    return {
      setAttribute(name: string, value: string) {
        attributes[name] = value
      },
      getAttribute: (name: string) => attributes[name] ?? null,
      removeAttribute: (name: string) => void delete attributes[name],
    }
  }
  const head = { appendChild: append, append, insertBefore: append }
  const document = new Proxy(
    {},
    {
      get: (_, key) => {
        if (key === 'head') return head
        if (key === 'createElement') return element
        if (key === 'currentScript') return { ...current, tagName: 'SCRIPT' }
        return key === 'getElementsByTagName' || key === 'querySelectorAll' ? () => [] : anything
      },
    },
  )
  const quiet = () => undefined
  const page: Record<string, unknown> = {
    ...Object.fromEntries(ofPages.map(name => [name, anything])),
    ...{ setTimeout, clearTimeout, setInterval, clearInterval, queueMicrotask, structuredClone },
    ...{ URL, URLSearchParams, TextEncoder, TextDecoder, AbortController, AbortSignal, Event, EventTarget },
    ...{ Blob, File, FormData, Headers, Request, Response, performance, crypto, atob, btoa },
    console: { log: quiet, info: quiet, warn: quiet, error: quiet, debug: quiet },
    document,
    navigator: { userAgent: 'release check', language: 'en', languages: ['en'], onLine: true },
    location: new URL(`${ORIGIN}/dashboard`),
    fetch: () => Promise.reject(new TypeError('There is no network while a release is checked.')),
    portalFederation: startFederation,
  }
  for (const name of ['window', 'self', 'top', 'parent']) page[name] = page
  const context = vm.createContext(page)
  return {
    failures,
    run: (file: string) =>
      vm.runInContext(readFileSync(path.join(build, file), 'utf8'), context, { filename: base }),
    global: (name: string): unknown => vm.runInContext(`globalThis[${JSON.stringify(name)}]`, context),
  }
}

interface Container {
  init(scope: object): unknown
  get(name: string): Promise<() => unknown>
}

const isContainer = (value: unknown): value is Container =>
  isRecord(value) && typeof value.get === 'function' && typeof value.init === 'function'

/** Returns the `routes` module of the release. */
async function exposedBy(build: string, app: string, release: string): Promise<unknown> {
  const manifest: unknown = JSON.parse(readFileSync(path.join(build, 'mf-manifest.json'), 'utf8'))
  const meta = isRecord(manifest) && isRecord(manifest.metaData) ? manifest.metaData : {}
  const entry = isRecord(meta.remoteEntry) ? meta.remoteEntry : {}
  const file = path.posix.join(String(entry.path ?? ''), String(entry.name ?? ''))
  if (!existsSync(path.join(build, file))) throw new Error(`the entry ${file} is missing`)
  const page = openPage(build, `${ORIGIN}/r/${app}/${release}/${file}`)
  page.run(file)
  const container = page.global(String(meta.globalName))
  if (!isContainer(container)) throw new Error(`the entry leaves no container called ${meta.globalName}`)
  try {
    await container.init({})
    return (await container.get('./routes'))()
  } catch (cause) {
    // The reason is more useful than the failed chunk.
    throw page.failures[0] ?? cause
  }
}

const look = { 'aria-hidden': true, width: '1.25rem', height: '1.25rem', strokeWidth: 1.75 }

/** Timeout for loading an icon, in milliseconds. */
const ICON_LIMIT = 2000

/** Renders an icon like the sidebar: inside a router and a query client. */
async function draw(icon: RemoteModule['navigation'][number]['icon']): Promise<void> {
  const failed: unknown[] = []
  const abort = new AbortController()
  const drawn = createElement(icon as ComponentType<object>, look)
  const tree = createElement(Suspense, { fallback: null }, drawn)
  const client = new QueryClient()
  const timer = setTimeout(
    () => abort.abort(new Error(`not drawn within ${ICON_LIMIT / 1000} s`)),
    ICON_LIMIT,
  )
  const { prelude } = await prerenderToNodeStream(
    <QueryClientProvider client={client}>
      <MemoryRouter>{tree}</MemoryRouter>
    </QueryClientProvider>,
    { onError: cause => void failed.push(cause), signal: abort.signal },
  )
  clearTimeout(timer)
  for await (const _ of prelude) void _
  if (failed.length > 0) throw failed[0]
}

/** Names the item that a parse error is about. */
function withLabel(message: string, exposed: unknown): string {
  const index = /^navigation\[(\d+)\]/.exec(message)?.[1]
  const items = isRecord(exposed) && Array.isArray(exposed.navigation) ? exposed.navigation : []
  const item: unknown = index && items[Number(index)]
  const label = isRecord(item) ? (item.label ?? item.tab) : undefined
  return typeof label === 'string' ? `${message} (${JSON.stringify(label.slice(0, 100))})` : message
}

async function judge(build: string, app: string, release: string, contract: number): Promise<Verdict> {
  let exposed: unknown
  try {
    exposed = await exposedBy(build, app, release)
  } catch (cause) {
    return { reason: 'does-not-load', message: textOf(cause) }
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
    const at = `navigation[${index}].icon (${JSON.stringify(label)})`
    try {
      await draw(icon)
    } catch (cause) {
      return { reason: 'icon-fails', message: `${at} throws ${textOf(cause)}` }
    }
  }
  return { paths: module.routes.map(({ path: place }) => place) }
}

const [build = '', app = '', release = '', contract = ''] = process.argv.slice(2)
// Later failures, for example in a timer, do not prevent loading.
process.on('uncaughtException', () => undefined)
process.on('unhandledRejection', () => undefined)
judge(build, app, release, Number(contract)).then(verdict => {
  process.stdout.write(`${JSON.stringify(verdict)}\n`, () => process.exit(0))
})
