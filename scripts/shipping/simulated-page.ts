// The page in which release commands run a release's code: a context without Node's objects. It has the objects of a page
// before anything is rendered, and its tags load the release's files.
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import vm from 'node:vm'
import { isRecord } from '@portal/contract/is-record'
import { sri } from './sri.mjs'

/** The shared packages by name, loaded on demand. */
type Shared = Readonly<Record<string, () => Promise<object>>>

/** The shared modules that the shell provides. */
const shellModules: Shared = {
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

export const errorText = (cause: unknown) =>
  isRecord(cause) && typeof cause.message === 'string' ? `${cause.name}: ${cause.message}` : String(cause)

const ORIGIN = 'https://portal.invalid'

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

/** Returns the shell's part of starting a release (`scripts/lib/federation-start.mjs`), for shared packages only. */
const startFederation = (shared: Shared) => (runtime: BuildRuntime) => {
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

/** A placeholder for objects of the browser: reading any property of it, calling or constructing it returns the placeholder. */
const anything: object = new Proxy(() => undefined, {
  get: (_, key) => (key === Symbol.toPrimitive ? () => '' : key === 'then' ? undefined : anything),
  apply: () => anything,
  construct: () => anything,
})

const emptyStorage = { getItem: () => null, setItem: () => undefined, removeItem: () => undefined }

/** The globals of a page that code may use while it is loaded. */
const pageGlobals = [
  ...['matchMedia', 'getComputedStyle', 'CSS', 'customElements', 'history'],
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

/** What the simulated page provides for a release. */
interface Surroundings {
  readonly shared: Shared
  /** Called with each file of the release that a tag loads. */
  readonly onFileLoaded: (file: string) => void
}

/** Opens a simulated page, whose tags load files of `build` and check their integrity. */
function openPage(build: string, base: string, { shared, onFileLoaded }: Surroundings) {
  const currentScript: Tag = { src: base }
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
    if (tag.integrity && tag.integrity !== sri(bytes))
      throw new Error(`${address} is not the file that the entry pins`)
    onFileLoaded(path.relative(build, fileOf(address)).replaceAll(path.sep, '/'))
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
        if (key === 'currentScript') return { ...currentScript, tagName: 'SCRIPT' }
        return key === 'getElementsByTagName' || key === 'querySelectorAll' ? () => [] : anything
      },
    },
  )
  const doNothing = () => undefined
  const page: Record<string, unknown> = {
    ...Object.fromEntries(pageGlobals.map(name => [name, anything])),
    ...{ setTimeout, clearTimeout, setInterval, clearInterval, queueMicrotask, structuredClone },
    ...{ URL, URLSearchParams, TextEncoder, TextDecoder, AbortController, AbortSignal, Event, EventTarget },
    ...{ Blob, File, FormData, Headers, Request, Response, performance, crypto, atob, btoa },
    localStorage: emptyStorage,
    sessionStorage: emptyStorage,
    console: { log: doNothing, info: doNothing, warn: doNothing, error: doNothing, debug: doNothing },
    document,
    navigator: { userAgent: 'release check', language: 'en', languages: ['en'], onLine: true },
    location: new URL(`${ORIGIN}/dashboard`),
    fetch: () => Promise.reject(new TypeError('There is no network while a release is checked.')),
    portalFederation: startFederation(shared),
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

/**
 * Returns the `routes` module of the release.
 * @param surroundings by default those of the shell; `shared` replaces some of its packages
 */
export async function loadExposedRoutes(
  build: string,
  app: string,
  release: string,
  { shared = {}, onFileLoaded = () => undefined }: Partial<Surroundings> = {},
): Promise<unknown> {
  const manifest: unknown = JSON.parse(readFileSync(path.join(build, 'mf-manifest.json'), 'utf8'))
  const meta = isRecord(manifest) && isRecord(manifest.metaData) ? manifest.metaData : {}
  const entry = isRecord(meta.remoteEntry) ? meta.remoteEntry : {}
  const file = path.posix.join(String(entry.path ?? ''), String(entry.name ?? ''))
  if (!existsSync(path.join(build, file))) throw new Error(`the entry ${file} is missing`)
  const page = openPage(build, `${ORIGIN}/r/${app}/${release}/${file}`, {
    shared: { ...shellModules, ...shared },
    onFileLoaded,
  })
  page.run(file)
  const container = page.global(String(meta.globalName))
  if (!isContainer(container)) throw new Error(`the entry leaves no container called ${meta.globalName}`)
  try {
    await container.init({})
    return (await container.get('./routes'))()
  } catch (cause) {
    // Why a file could not be loaded is more useful than the failure of its chunk.
    throw page.failures[0] ?? cause
  }
}
