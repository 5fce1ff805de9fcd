import { expect, test } from 'vitest'
import { type ToastMessage, withToast } from './toast-store.ts'

const makeSuccess = (message: string): ToastMessage => ({ tone: 'success', message })
const makeError = (message: string): ToastMessage => ({ tone: 'danger', message })

/** Returns the messages of the toasts that are shown after these were added one after the other. */
const showToasts = (...toasts: ToastMessage[]) =>
  toasts
    .reduce<readonly ToastMessage[]>((shown, toast) => withToast(shown, toast), [])
    .map(toast => toast.message)

test('shows at most four temporary toasts, newest last', () => {
  expect(showToasts(...['1', '2', '3', '4'].map(makeSuccess))).toEqual(['1', '2', '3', '4'])
  expect(showToasts(...['1', '2', '3', '4', '5', '6'].map(makeSuccess))).toEqual(['3', '4', '5', '6'])
})

test('does not drop an error to make room for another toast', () => {
  expect(showToasts(makeError('lost'), ...['1', '2', '3', '4', '5'].map(makeSuccess))).toEqual([
    'lost',
    '3',
    '4',
    '5',
  ])
  expect(showToasts(...['a', 'b', 'c', 'd', 'e'].map(makeError))).toEqual(['a', 'b', 'c', 'd', 'e'])
  expect(showToasts(...['a', 'b', 'c', 'd'].map(makeError), makeSuccess('1'), makeSuccess('2'))).toEqual([
    'a',
    'b',
    'c',
    'd',
    '2',
  ])
})

test('shows a repeated error only once, as the newest toast', () => {
  expect(showToasts(makeError('lost'), makeSuccess('1'), makeError('lost'))).toEqual(['1', 'lost'])
  expect(showToasts(makeSuccess('saved'), makeSuccess('saved'))).toEqual(['saved', 'saved'])
})

test('replaces the toast with the same key', () => {
  const deleted: ToastMessage = { tone: 'success', message: 'deleted', key: 'certificate-1' }
  const restored: ToastMessage = { tone: 'success', message: 'restored', key: 'certificate-1' }
  expect(showToasts(deleted, makeSuccess('1'), restored)).toEqual(['1', 'restored'])
  expect(showToasts(deleted, { ...restored, key: 'certificate-2' })).toEqual(['deleted', 'restored'])
})
