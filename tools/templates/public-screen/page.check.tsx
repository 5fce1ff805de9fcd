import { renderPage } from '@portal/standalone/render-page'
import { expect, test } from 'vitest'
import SampleScreenPage from './page.tsx'

test('renders inside the frame of public pages', async () => {
  const page = await renderPage(<SampleScreenPage />)
  expect(page).toContain('Sample Screen</h1>')
  expect(page).toMatch(/<main id="main"/)
})
