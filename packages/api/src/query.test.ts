import { keepPreviousData, QueryObserver } from '@tanstack/react-query'
import { expect, test } from 'vitest'
import { createQueryClient } from './query.ts'

/** Creates queries as screens do; the test resolves or rejects each call. */
function createTestQuery() {
  const client = createQueryClient()
  let latestCall: { resolve: (data: string) => void; reject: (error: Error) => void } | undefined
  const observe = (id: string) => {
    const options = {
      queryKey: ['fee', id],
      queryFn: () =>
        new Promise<string>((resolve, reject) => {
          latestCall = { resolve, reject }
        }),
      retry: false as const,
      placeholderData: keepPreviousData,
    }
    const observer = new QueryObserver(client, options)
    return { observer, options, unsubscribe: observer.subscribe(() => undefined) }
  }
  return { observe, latestCall: () => latestCall }
}

test('a failed query keeps its error until a retry succeeds', async () => {
  const { observe, latestCall } = createTestQuery()
  const { observer, unsubscribe } = observe('1')
  const result = () => observer.getCurrentResult()
  expect(result()).toMatchObject({ status: 'pending', error: null })
  latestCall()?.reject(new Error('down'))
  await expect.poll(() => result().isError).toBe(true)
  void observer.refetch()
  await expect.poll(() => result().isFetching).toBe(true)
  expect(result()).toMatchObject({ status: 'error', isPending: false, error: { message: 'down' } })
  latestCall()?.reject(new Error('still down'))
  await expect.poll(() => result().error?.message).toBe('still down')
  void observer.refetch()
  await expect.poll(() => result().isFetching).toBe(true)
  latestCall()?.resolve('5000')
  await expect.poll(() => result().data).toBe('5000')
  expect(result()).toMatchObject({ status: 'success', error: null })
  // The data stays while it is refetched, although earlier attempts had failed.
  void observer.refetch()
  await expect.poll(() => result().isFetching).toBe(true)
  expect(result()).toMatchObject({ status: 'success', data: '5000', error: null })
  unsubscribe()
})

test('a page of a list that failed to load keeps its error during a retry, even if the previous page had loaded', async () => {
  const { observe, latestCall } = createTestQuery()
  const { observer, options, unsubscribe } = observe('1')
  const result = () => observer.getCurrentResult()
  latestCall()?.resolve('page 1')
  await expect.poll(() => result().data).toBe('page 1')
  observer.setOptions({ ...options, queryKey: ['fee', '2'] })
  expect(result()).toMatchObject({ data: 'page 1', isPlaceholderData: true })
  latestCall()?.reject(new Error('down'))
  await expect.poll(() => result().isError).toBe(true)
  void observer.refetch()
  await expect.poll(() => result().isFetching).toBe(true)
  expect(result()).toMatchObject({ status: 'error', data: undefined })
  unsubscribe()
})

test('revisiting a page that failed to load starts without an error', async () => {
  const { observe, latestCall } = createTestQuery()
  const first = observe('1')
  latestCall()?.reject(new Error('down'))
  await expect.poll(() => first.observer.getCurrentResult().isError).toBe(true)
  first.unsubscribe()
  const second = observe('1')
  await expect.poll(() => second.observer.getCurrentResult().isFetching).toBe(true)
  expect(second.observer.getCurrentResult()).toMatchObject({ status: 'pending', error: null })
  second.unsubscribe()
})
