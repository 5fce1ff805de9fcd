import { isRecord } from '@portal/contract/is-record'

/*
 * What somebody typed and did not send, kept in the browser for the account that typed it: over a session that ends, a
 * reload and a crash. Storage may be refused or full; the forms then work as ever, and forget.
 */

/** Which form of which account; `about` is the id of the record that it changes, empty for a new one. */
export interface DraftKey {
  account: string
  form: string
  about?: string
}

export type DraftValues = Record<string, string | boolean>

export interface Draft {
  /** Milliseconds since 1970. */
  at: number
  /** Changes with the form's fields: a draft of another version is dropped. */
  version: number
  /** What was typed, by field; fields that were left alone are not among them. */
  values: DraftValues
  /** What these fields held before. */
  before: DraftValues
  /** What the draft is called in a list, e.g. `Edit certificate UG/2019/00123`. */
  label: string
  /** What finds the record again. */
  find: string
}

/** A draft in a list. */
export interface ListedDraft extends Draft {
  about: string
}

const PREFIX = 'portal.draft:'
/** Over a weekend, and no longer: others may use the same computer. */
export const KEPT_FOR_MS = 72 * 60 * 60 * 1000
/** Characters of one draft, which is more than any form takes. */
export const LONGEST = 32_000
/** Of all accounts of a browser; the oldest give way. */
export const MOST = 20

const part = encodeURIComponent
const accountPrefix = (account: string) => `${PREFIX}${part(account)}:`
const formPrefix = ({ account, form }: DraftKey) => `${accountPrefix(account)}${part(form)}:`
const nameOf = (key: DraftKey) => formPrefix(key) + part(key.about ?? '')

function attempt<T>(use: () => T): T | undefined {
  try {
    return use()
  } catch {
    return undefined
  }
}

/** `localStorage`, unless the browser refuses even to name it. */
const browserStorage = () => attempt(() => globalThis.localStorage)

type DraftStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem' | 'key' | 'length'>

const isValues = (value: unknown): value is DraftValues =>
  isRecord(value) && Object.values(value).every(each => typeof each === 'string' || typeof each === 'boolean')

function parse(text: string | null): Draft | undefined {
  const value: unknown = attempt(() => JSON.parse(text ?? 'null'))
  if (!isRecord(value)) return undefined
  const { at, version, values, before, label, find } = value
  if (typeof at !== 'number' || typeof version !== 'number' || !isValues(values) || !isValues(before))
    return undefined
  if (typeof label !== 'string' || typeof find !== 'string') return undefined
  return { at, version, values, before, label, find }
}

/** Also a clock that was ahead when it was written keeps no draft for longer. */
const isFresh = (draft: Draft, now: number) => Math.abs(now - draft.at) <= KEPT_FOR_MS

const namesIn = (storage: DraftStorage) =>
  Array.from({ length: storage.length }, (_, index) => storage.key(index) ?? '').filter(name =>
    name.startsWith(PREFIX),
  )

/** Removes what is broken, old, or more than is kept. */
function sweep(storage: DraftStorage, now: number) {
  const kept: { name: string; at: number }[] = []
  for (const name of namesIn(storage)) {
    const draft = parse(storage.getItem(name))
    if (draft && isFresh(draft, now)) kept.push({ name, at: draft.at })
    else storage.removeItem(name)
  }
  for (const { name } of kept.sort((a, b) => b.at - a.at).slice(MOST)) storage.removeItem(name)
}

const listeners = new Set<() => void>()
let watching = false

const notify = () => {
  for (const listener of listeners) listener()
}

/** Calls `listener` when a draft is written or dropped, here or in another tab. Returns the way to stop. */
export function onDrafts(listener: () => void): () => void {
  if (!watching)
    globalThis.addEventListener?.('storage', ({ key }) => {
      if (key === null || key.startsWith(PREFIX)) notify()
    })
  watching = true
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Keeps a draft in the place of the one before. What is too long is not kept; the one before stays. */
export function writeDraft(
  key: DraftKey,
  draft: Omit<Draft, 'at'>,
  storage: DraftStorage | undefined = browserStorage(),
  now: number = Date.now(),
): void {
  const text = JSON.stringify({ ...draft, at: now })
  if (text.length > LONGEST) return
  attempt(() => {
    storage?.setItem(nameOf(key), text)
    if (storage) sweep(storage, now)
  })
  notify()
}

/** The draft of a form; one of another version of its fields is dropped. */
export function readDraft(
  key: DraftKey,
  version: number,
  storage: DraftStorage | undefined = browserStorage(),
  now: number = Date.now(),
): Draft | undefined {
  return attempt(() => {
    if (!storage) return undefined
    const name = nameOf(key)
    const text = storage.getItem(name)
    if (text === null) return undefined
    const draft = parse(text)
    if (draft && isFresh(draft, now) && draft.version === version) return draft
    storage.removeItem(name)
    return undefined
  })
}

/** Forgets a draft: it was sent or discarded. */
export function dropDraft(key: DraftKey, storage: DraftStorage | undefined = browserStorage()): void {
  const had = attempt(() => {
    const name = nameOf(key)
    const there = storage?.getItem(name) != null
    storage?.removeItem(name)
    return there
  })
  if (had) notify()
}

/** The drafts of an account in a form, whatever record they are about, newest first. */
export function listDrafts(
  key: Omit<DraftKey, 'about'>,
  version: number,
  storage: DraftStorage | undefined = browserStorage(),
  now: number = Date.now(),
): ListedDraft[] {
  const found = attempt(() => {
    const prefix = formPrefix(key)
    const names = storage ? namesIn(storage).filter(name => name.startsWith(prefix)) : []
    return names.flatMap(name => {
      const about = decodeURIComponent(name.slice(prefix.length))
      const draft = readDraft({ ...key, about }, version, storage, now)
      return draft ? [{ ...draft, about }] : []
    })
  })
  return found?.sort((a, b) => b.at - a.at) ?? []
}

/** True when this browser keeps a draft of any account. */
export const hasDrafts = (
  storage: DraftStorage | undefined = browserStorage(),
  now: number = Date.now(),
): boolean =>
  attempt(() =>
    storage
      ? namesIn(storage).some(name => {
          const draft = parse(storage.getItem(name))
          return draft !== undefined && isFresh(draft, now)
        })
      : false,
  ) ?? false

function dropWhere(storage: DraftStorage | undefined, matches: (name: string) => boolean) {
  attempt(() => {
    for (const name of storage ? namesIn(storage) : []) if (matches(name)) storage?.removeItem(name)
  })
  notify()
}

/** Forgets every draft of an account in this browser: its owner signed out, or asked to be erased. */
export function dropDraftsOf(
  account: string,
  storages: readonly (DraftStorage | undefined)[] = [
    browserStorage(),
    attempt(() => globalThis.sessionStorage),
  ],
): void {
  for (const storage of storages) dropWhere(storage, name => name.startsWith(accountPrefix(account)))
}

/** Forgets every draft about a record, whoever typed it: the record is gone or is to go. */
export function dropDraftsAbout(about: string, storage: DraftStorage | undefined = browserStorage()): void {
  dropWhere(storage, name => name.endsWith(`:${part(about)}`))
}
