import { renderToString } from 'react-dom/server'
import { expect, it, vi } from 'vitest'
import { loadingComponent } from './loading-component.tsx'

it('shows that a page is loading, and renders it as soon as it has loaded', async () => {
  const load = vi.fn(async () => ({ default: () => <h1>History</h1> }))
  const Page = loadingComponent(load)
  expect(renderToString(<Page />)).toContain('Loading…')
  expect(renderToString(<Page />)).toContain('Loading…')
  await load.mock.results[0]?.value
  expect(renderToString(<Page />)).toBe('<h1>History</h1>')
  expect(load).toHaveBeenCalledOnce()
})

it('shows a loading error in place of the page', async () => {
  const loadFailure = Promise.reject(new Error('gone'))
  const Page = loadingComponent(() => loadFailure)
  expect(renderToString(<Page />)).toContain('Loading…')
  await loadFailure.catch(() => undefined)
  await Promise.resolve()
  expect(() => renderToString(<Page />)).toThrow('gone')
})
