import { isRecord } from '@portal/contract/is-record'

/*
 * Unsent input of forms, saved in the browser for each account, so that it survives logout, a reload or a crash. If storage is
 * blocked or full, forms work without drafts.
 */

/** Identifies a draft. `recordId` is the ID of the record being edited; it is empty for a new record. */
export interface DraftKey {
  account: string
  form: string
  recordId?: string
}

export type DraftValues = Record<string, string | boolean>

export interface Draft {
  /** When it was saved, as a Unix timestamp in milliseconds. */
  at: number
  /** Version of the form. Increment it when the form's fields change, because drafts of other versions are dropped. */
  version: number
  /** The edited values by field. */
  values: DraftValues
  /** The stored values of these fields when they were edited. */
  before: DraftValues
  /** Label in a list of drafts, e.g. `Edit certificate UG/2019/00123`. */
  label: string
  /** Search text with which the record can be found in its list. */
  searchText: string
}

/** A draft in a list. */
export interface ListedDraft extends Draft {
  recordId: string
}

const PREFIX = 'portal.draft:'
/** Lifetime of a draft: long enough for a weekend, yet short, because other people may use the same computer. */
export const DRAFT_LIFETIME_MS = 72 * 60 * 60 * 1000
/** Maximum number of characters in one draft. */
export const MAX_DRAFT_LENGTH = 32_000
/** Maximum number of drafts in a browser; the oldest ones above it are dropped. */
export const MAX_DRAFTS = 20

const encodePart = encodeURIComponent
const accountPrefix = (account: string) => `${PREFIX}${encodePart(account)}:`
const formPrefix = ({ account, form }: DraftKey) => `${accountPrefix(account)}${encodePart(form)}:`
const draftNameOf = (key: DraftKey) => formPrefix(key) + encodePart(key.recordId ?? '')

/** Returns the operation's result, or undefined if it throws, as storage does when it is blocked or full. */
function attempt<T>(operation: () => T): T | undefined {
  try {
    return operation()
  } catch {
    return undefined
  }
}

/** Returns `localStorage`, or undefined if the browser denies access to it. */
const browserStorage = () => attempt(() => globalThis.localStorage)

type DraftStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem' | 'key' | 'length'>

const isValues = (value: unknown): value is DraftValues =>
  isRecord(value) && Object.values(value).every(item => typeof item === 'string' || typeof item === 'boolean')

function parse(text: string | null): Draft | undefined {
  const value: unknown = attempt(() => JSON.parse(text ?? 'null'))
  if (!isRecord(value)) return undefined
  const { at, version, values, before, label, searchText } = value
  if (typeof at !== 'number' || typeof version !== 'number' || !isValues(values) || !isValues(before))
    return undefined
  if (typeof label !== 'string' || typeof searchText !== 'string') return undefined
  return { at, version, values, before, label, searchText }
}

/** True if a draft has not expired. A date far in the future, from a clock that was ahead, counts as expired. */
const isFresh = (draft: Draft, now: number) => Math.abs(now - draft.at) <= DRAFT_LIFETIME_MS

const draftNamesIn = (storage: DraftStorage) =>
  Array.from({ length: storage.length }, (_, index) => storage.key(index) ?? '').filter(name =>
    name.startsWith(PREFIX),
  )

/** Removes drafts that are invalid or expired, and the oldest ones above the limit. */
function sweep(storage: DraftStorage, now: number) {
  const storedDrafts: { name: string; at: number }[] = []
  for (const name of draftNamesIn(storage)) {
    const draft = parse(storage.getItem(name))
    if (draft && isFresh(draft, now)) storedDrafts.push({ name, at: draft.at })
    else storage.removeItem(name)
  }
  for (const { name } of storedDrafts.sort((a, b) => b.at - a.at).slice(MAX_DRAFTS)) storage.removeItem(name)
}

const listeners = new Set<() => void>()
let isListening = false

const notifyListeners = () => {
  for (const listener of listeners) listener()
}

/** Calls `listener` when a draft is written or removed, here or in another tab. Returns the unsubscribe function. */
export function onDraftsChanged(listener: () => void): () => void {
  if (!isListening)
    globalThis.addEventListener?.('storage', ({ key }) => {
      if (key === null || key.startsWith(PREFIX)) notifyListeners()
    })
  isListening = true
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Saves a draft, replacing the previous one. Ignores a draft that is too long. */
export function writeDraft(
  key: DraftKey,
  draft: Omit<Draft, 'at'>,
  storage: DraftStorage | undefined = browserStorage(),
  now: number = Date.now(),
): void {
  const text = JSON.stringify({ ...draft, at: now })
  if (text.length > MAX_DRAFT_LENGTH) return
  attempt(() => {
    storage?.setItem(draftNameOf(key), text)
    if (storage) sweep(storage, now)
  })
  notifyListeners()
}

/** Returns the draft of a form. Removes it instead if it is expired, invalid, or from another version of the form. */
export function readDraft(
  key: DraftKey,
  version: number,
  storage: DraftStorage | undefined = browserStorage(),
  now: number = Date.now(),
): Draft | undefined {
  return attempt(() => {
    if (!storage) return undefined
    const name = draftNameOf(key)
    const text = storage.getItem(name)
    if (text === null) return undefined
    const draft = parse(text)
    if (draft && isFresh(draft, now) && draft.version === version) return draft
    storage.removeItem(name)
    return undefined
  })
}

/** Removes a draft that was sent or discarded. */
export function dropDraft(key: DraftKey, storage: DraftStorage | undefined = browserStorage()): void {
  const wasStored = attempt(() => {
    const name = draftNameOf(key)
    const isStored = storage?.getItem(name) != null
    storage?.removeItem(name)
    return isStored
  })
  if (wasStored) notifyListeners()
}

/** Returns an account's drafts of one form for any record, newest first. */
export function listDrafts(
  key: Omit<DraftKey, 'recordId'>,
  version: number,
  storage: DraftStorage | undefined = browserStorage(),
  now: number = Date.now(),
): ListedDraft[] {
  const drafts = attempt(() => {
    const prefix = formPrefix(key)
    const names = storage ? draftNamesIn(storage).filter(name => name.startsWith(prefix)) : []
    return names.flatMap(name => {
      const recordId = decodeURIComponent(name.slice(prefix.length))
      const draft = readDraft({ ...key, recordId }, version, storage, now)
      return draft ? [{ ...draft, recordId }] : []
    })
  })
  return drafts?.sort((a, b) => b.at - a.at) ?? []
}

/** True if this browser has an unexpired draft of any account. */
export const hasDrafts = (
  storage: DraftStorage | undefined = browserStorage(),
  now: number = Date.now(),
): boolean =>
  attempt(() =>
    storage
      ? draftNamesIn(storage).some(name => {
          const draft = parse(storage.getItem(name))
          return draft !== undefined && isFresh(draft, now)
        })
      : false,
  ) ?? false

function dropWhere(storage: DraftStorage | undefined, matches: (name: string) => boolean) {
  attempt(() => {
    for (const name of storage ? draftNamesIn(storage) : []) if (matches(name)) storage?.removeItem(name)
  })
  notifyListeners()
}

/** Removes every draft of an account from this browser, at sign-out or when the account is erased. */
export function dropDraftsOf(
  account: string,
  storages: readonly (DraftStorage | undefined)[] = [
    browserStorage(),
    attempt(() => globalThis.sessionStorage),
  ],
): void {
  for (const storage of storages) dropWhere(storage, name => name.startsWith(accountPrefix(account)))
}

/** Removes every draft of a record that has been deleted or is about to be. */
export function dropDraftsOfRecord(
  recordId: string,
  storage: DraftStorage | undefined = browserStorage(),
): void {
  dropWhere(storage, name => name.endsWith(`:${encodePart(recordId)}`))
}
