import { beforeEach, describe, expect, it, vi } from 'vitest'
import { isSavableField } from './savable-field.ts'
import {
  DRAFT_LIFETIME_MS,
  dropDraft,
  dropDraftsOf,
  dropDraftsOfRecord,
  hasDrafts,
  listDrafts,
  MAX_DRAFT_LENGTH,
  MAX_DRAFTS,
  onDraftsChanged,
  readDraft,
  writeDraft,
} from './store.ts'

function createFakeStorage(): Storage {
  const values = new Map<string, string>()
  return {
    get length() {
      return values.size
    },
    key: index => [...values.keys()][index] ?? null,
    getItem: key => values.get(key) ?? null,
    setItem: (key, value) => void values.set(key, value),
    removeItem: key => void values.delete(key),
    clear: () => values.clear(),
  }
}

const makeDraft = (name: string) => ({
  version: 1,
  values: { name },
  before: { name: 'Ada' },
  label: 'Edit certificate UG/1',
  searchText: 'UG/1',
})
const adaKey = { account: 'u1', form: 'certificate', recordId: 'c1' }
let storage: Storage

beforeEach(() => {
  storage = createFakeStorage()
})

describe('a draft', () => {
  it('is found only by its own account, form and record', () => {
    writeDraft(adaKey, makeDraft('Bola'), storage, 5)
    expect(readDraft(adaKey, 1, storage, 6)).toEqual({ ...makeDraft('Bola'), at: 5 })
    for (const otherKey of [
      { ...adaKey, account: 'u2' },
      { ...adaKey, form: 'account' },
      { ...adaKey, recordId: 'c2' },
      { account: 'u1', form: 'certificate' },
    ])
      expect(readDraft(otherKey, 1, storage, 6)).toBeUndefined()
  })

  it('cannot be reached through other IDs that contain the separator', () => {
    writeDraft({ account: 'u1', form: 'a:b', recordId: 'c' }, makeDraft('x'), storage, 5)
    expect(readDraft({ account: 'u1', form: 'a', recordId: 'b:c' }, 1, storage, 5)).toBeUndefined()
    writeDraft({ account: 'u1:certificate', form: 'f' }, makeDraft('x'), storage, 5)
    expect(listDrafts({ account: 'u1', form: 'certificate' }, 1, storage, 5)).toEqual([])
    dropDraftsOf('u1', [storage])
    expect(storage.length).toBe(1)
  })

  it.each([
    ['has outlived its lifetime', DRAFT_LIFETIME_MS + 6, 1],
    ['was saved while the clock was far ahead', 5 - DRAFT_LIFETIME_MS - 1, 1],
    ['was saved by another version of the form', 6, 2],
  ])('is dropped if it %s', (_, now, version) => {
    writeDraft(adaKey, makeDraft('Bola'), storage, 5)
    expect(readDraft(adaKey, version, storage, now)).toBeUndefined()
    expect(storage.length).toBe(0)
  })

  it.each([
    '',
    '{',
    '[]',
    'null',
    '{"at":5}',
    '{"at":5,"version":1,"values":{"a":{}},"before":{},"label":"","searchText":""}',
  ])('is dropped if it is invalid: %s', text => {
    writeDraft(adaKey, makeDraft('Bola'), storage, 5)
    storage.setItem(storage.key(0) ?? '', text)
    expect(readDraft(adaKey, 1, storage, 6)).toBeUndefined()
    expect(storage.length).toBe(0)
  })

  it('is not saved if it is too long; the previous draft is then kept', () => {
    writeDraft(adaKey, makeDraft('Bola'), storage, 5)
    writeDraft(adaKey, makeDraft('x'.repeat(MAX_DRAFT_LENGTH)), storage, 6)
    expect(readDraft(adaKey, 1, storage, 6)?.values).toEqual({ name: 'Bola' })
  })
})

it('keeps the newest drafts up to a limit, which applies to all forms and accounts together', {
  tags: ['USABILITY-23'],
}, () => {
  writeDraft({ account: 'u2', form: 'old' }, makeDraft('x'), storage, 0)
  for (let at = 1; at <= MAX_DRAFTS + 3; at++)
    writeDraft({ ...adaKey, recordId: `c${at}` }, makeDraft('x'), storage, at + DRAFT_LIFETIME_MS)
  expect(storage.length).toBe(MAX_DRAFTS)
  const listed = listDrafts(adaKey, 1, storage, DRAFT_LIFETIME_MS + 100)
  expect(listed.map(({ recordId }) => recordId)).toEqual(
    Array.from({ length: MAX_DRAFTS }, (_, index) => `c${MAX_DRAFTS + 3 - index}`),
  )
})

it('removes one draft, all drafts of an account, or all drafts of a record, and nothing else', () => {
  storage.setItem('token', 't')
  const otherKeys = [
    { ...adaKey, account: 'u2' },
    { ...adaKey, recordId: 'c2' },
    { account: 'u1', form: 'fee' },
  ]
  for (const key of [adaKey, ...otherKeys]) writeDraft(key, makeDraft('x'), storage, 5)
  dropDraft(adaKey, storage)
  expect(storage.length).toBe(4)
  dropDraftsOfRecord('c1', storage)
  expect(storage.length).toBe(3)
  dropDraftsOf('u1', [storage])
  expect(storage.length).toBe(1)
  expect(storage.getItem('token')).toBe('t')
})

it('reports whether this browser has any unexpired drafts', () => {
  expect(hasDrafts(storage, 5)).toBe(false)
  writeDraft(adaKey, makeDraft('x'), storage, 5)
  expect(hasDrafts(storage, 5)).toBe(true)
  expect(hasDrafts(storage, 6 + DRAFT_LIFETIME_MS)).toBe(false)
})

it('notifies subscribers of changes in this tab until they unsubscribe', () => {
  const listener = vi.fn()
  const unsubscribe = onDraftsChanged(listener)
  writeDraft(adaKey, makeDraft('x'), storage, 5)
  dropDraft(adaKey, storage)
  dropDraft(adaKey, storage)
  expect(listener).toHaveBeenCalledTimes(2)
  unsubscribe()
  writeDraft(adaKey, makeDraft('x'), storage, 5)
  expect(listener).toHaveBeenCalledTimes(2)
})

it('does nothing and finds nothing if storage is missing or denied', () => {
  const deniedStorage = new Proxy(createFakeStorage(), {
    get() {
      throw new DOMException('denied', 'SecurityError')
    },
  })
  for (const unusable of [deniedStorage, undefined]) {
    writeDraft(adaKey, makeDraft('x'), unusable, 5)
    expect(readDraft(adaKey, 1, unusable, 5)).toBeUndefined()
    expect(listDrafts(adaKey, 1, unusable, 5)).toEqual([])
    dropDraft(adaKey, unusable)
    dropDraftsOf('u1', [unusable])
  }
})

describe('typed input', () => {
  it.each([
    ['a password', { type: 'password' }],
    ['a visible password', { type: 'text', autocomplete: 'current-password' }],
    ['a code', { type: 'text', autocomplete: 'one-time-code' }],
    ['a card', { type: 'text', autocomplete: 'cc-number' }],
    ['a field marked as secret', { type: 'text', dataset: { secret: '' } }],
    ['a file', { type: 'file' }],
  ])('is never saved from %s', { tags: ['USABILITY-23'] }, (_, element) => {
    expect(isSavableField('name', element)).toBe(false)
  })

  it.each(['password', 'current_password', 'confirmPassword', 'code', 'secret', 'otp', 'card_number', 'cvv'])(
    'is never saved from a field named %s',
    name => {
      expect(isSavableField(name, { type: 'text' })).toBe(false)
    },
  )

  it('is saved from an ordinary field, but only if the field is on the page', () => {
    expect(isSavableField('certificate_number', { type: 'text', autocomplete: 'off', dataset: {} })).toBe(
      true,
    )
    expect(isSavableField('staff_totp', { type: 'checkbox' })).toBe(true)
    expect(isSavableField('certificate_number', undefined)).toBe(false)
  })
})
