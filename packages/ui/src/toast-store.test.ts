import { expect, test } from 'vitest'
import { type ToastMessage, withToast } from './toast-store.ts'

const done = (message: string): ToastMessage => ({ tone: 'success', message })
const failed = (message: string): ToastMessage => ({ tone: 'danger', message })

/** Returns the messages of the toasts that are shown after these were added one after the other. */
const shown = (...toasts: ToastMessage[]) =>
  toasts
    .reduce<readonly ToastMessage[]>((shown, toast) => withToast(shown, toast), [])
    .map(toast => toast.message)

test('shows at most four temporary toasts, newest last', () => {
  expect(shown(...['1', '2', '3', '4'].map(done))).toEqual(['1', '2', '3', '4'])
  expect(shown(...['1', '2', '3', '4', '5', '6'].map(done))).toEqual(['3', '4', '5', '6'])
})

test('does not drop an error to make room for another toast', () => {
  expect(shown(failed('lost'), ...['1', '2', '3', '4', '5'].map(done))).toEqual(['lost', '3', '4', '5'])
  expect(shown(...['a', 'b', 'c', 'd', 'e'].map(failed))).toEqual(['a', 'b', 'c', 'd', 'e'])
  expect(shown(...['a', 'b', 'c', 'd'].map(failed), done('1'), done('2'))).toEqual(['a', 'b', 'c', 'd', '2'])
})

test('shows a repeated error only once, as the newest toast', () => {
  expect(shown(failed('lost'), done('1'), failed('lost'))).toEqual(['1', 'lost'])
  expect(shown(done('saved'), done('saved'))).toEqual(['saved', 'saved'])
})
