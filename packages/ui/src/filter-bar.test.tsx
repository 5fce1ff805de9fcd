import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it } from 'vitest'
import { FilterBar } from './filter-bar.tsx'

const renderFilterBar = (active: number) =>
  renderToStaticMarkup(
    <FilterBar label="Filter" search={<input type="search" />} active={active}>
      <select />
    </FilterBar>,
  )

it('shows on its button how many of the collapsed filters are set', () => {
  expect(renderFilterBar(2)).toContain('Filters (2)')
  expect(renderFilterBar(0)).not.toContain('(0)')
})

it('has a button that controls the collapsed filters, but only if there is a search field', () => {
  const id = /aria-expanded="false" aria-controls="([^"]+)"/.exec(renderFilterBar(1))?.[1]
  expect(renderFilterBar(1)).toContain(`<div id="${id}"`)
  expect(renderToStaticMarkup(<FilterBar label="Filter">{'fields'}</FilterBar>)).not.toContain(
    'aria-expanded',
  )
})

it('collapses the filters with `always`, unless one of them is set', () => {
  const renderFolded = (active: number) =>
    renderToStaticMarkup(
      <FilterBar label="Filter" search={<input type="search" />} folds="always" active={active}>
        <select />
      </FilterBar>,
    )
  expect(renderFolded(0)).not.toContain('<select')
  expect(renderFolded(1)).toContain('<select')
  expect(renderFolded(1)).toContain('aria-expanded="true"')
})
