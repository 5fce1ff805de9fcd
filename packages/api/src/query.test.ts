import { keepPreviousData, QueryObserver } from '@tanstack/react-query'
import { expect, test } from 'vitest'
import { createQueryClient } from './query.ts'

/** Creates queries as screens do; the test resolves or rejects each call. */
function testQuery() {
  const client = createQueryClient()
  let answer: { resolve: (data: string) => void; reject: (error: Error) => void } | undefined
  const observe = (id: string) => {
    const options = {
      queryKey: ['fee', id],
      queryFn: () =>
        new Promise<string>((resolve, reject) => {
          answer = { resolve, reject }
        }),
      retry: false as const,
      placeholderData: keepPreviousData,
    }
    const observer = new QueryObserver(client, options)
    return { observer, options, leave: observer.subscribe(() => undefined) }
  }
  return { observe, answer: () => answer }
}

test('a failed query keeps its error until a retry succeeds', async () => {
  const { observe, answer } = testQuery()
  const { observer, leave } = observe('1')
  const shown = () => observer.getCurrentResult()
  expect(shown()).toMatchObject({ status: 'pending', error: null })
  answer()?.reject(new Error('down'))
  await expect.poll(() => shown().isError).toBe(true)
  void observer.refetch()
  await expect.poll(() => shown().isFetching).toBe(true)
  expect(shown()).toMatchObject({ status: 'error', isPending: false, error: { message: 'down' } })
  answer()?.reject(new Error('still down'))
  await expect.poll(() => shown().error?.message).toBe('still down')
  void observer.refetch()
  await expect.poll(() => shown().isFetching).toBe(true)
  answer()?.resolve('5000')
  await expect.poll(() => shown().data).toBe('5000')
  expect(shown()).toMatchObject({ status: 'success', error: null })
  // The data stays while it is refetched, although earlier attempts had failed.
  void observer.refetch()
  await expect.poll(() => shown().isFetching).toBe(true)
  expect(shown()).toMatchObject({ status: 'success', data: '5000', error: null })
  leave()
})

test('a page of a list that failed to load keeps its error during a retry, even if the previous page had loaded', async () => {
  const { observe, answer } = testQuery()
  const { observer, options, leave } = observe('1')
  const shown = () => observer.getCurrentResult()
  answer()?.resolve('page 1')
  await expect.poll(() => shown().data).toBe('page 1')
  observer.setOptions({ ...options, queryKey: ['fee', '2'] })
  expect(shown()).toMatchObject({ data: 'page 1', isPlaceholderData: true })
  answer()?.reject(new Error('down'))
  await expect.poll(() => shown().isError).toBe(true)
  void observer.refetch()
  await expect.poll(() => shown().isFetching).toBe(true)
  expect(shown()).toMatchObject({ status: 'error', data: undefined })
  leave()
})

test('revisiting a page that failed to load starts without an error', async () => {
  const { observe, answer } = testQuery()
  const first = observe('1')
  answer()?.reject(new Error('down'))
  await expect.poll(() => first.observer.getCurrentResult().isError).toBe(true)
  first.leave()
  const second = observe('1')
  await expect.poll(() => second.observer.getCurrentResult().isFetching).toBe(true)
  expect(second.observer.getCurrentResult()).toMatchObject({ status: 'pending', error: null })
  second.leave()
})
