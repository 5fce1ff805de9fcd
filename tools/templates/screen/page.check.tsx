import { q } from '@portal/api/query'
import { renderPage } from '@portal/standalone/render-page'
import { expect, test } from 'vitest'
import { fee } from './endpoints.ts'
import SampleScreenPage from './page.tsx'

const reads = [q(fee)]

test('shows the data of its call', async () => {
  const page = await renderPage(<SampleScreenPage />, { as: 'user', reads })
  expect(page).toContain('Sample Screen</h1>')
  expect(page).toContain('₦5,000.00')
})

test('shows placeholders while loading', async () => {
  const page = await renderPage(<SampleScreenPage />, { as: 'user' })
  expect(page).toContain('aria-hidden')
  expect(page).not.toContain('₦')
})

test('shows an error and offers to try again', async () => {
  const page = await renderPage(<SampleScreenPage />, {
    as: 'user',
    reads,
    fails: [fee, 'DATABASE_UNAVAILABLE'],
  })
  expect(page).toContain('role="alert"')
  expect(page).toContain('Sample Screen could not be loaded')
  expect(page).toContain('Try again')
})
