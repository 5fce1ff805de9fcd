import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it } from 'vitest'
import { Tooltip } from './tooltip.tsx'

const renderTooltip = (enabled: boolean) =>
  renderToStaticMarkup(
    <Tooltip text="Sign Out" enabled={enabled}>
      {ariaProps => <button type="button" {...ariaProps} />}
    </Tooltip>,
  )

it('describes the trigger with its text', () => {
  const id = /aria-describedby="([^"]+)"/.exec(renderTooltip(true))?.[1]
  expect(renderTooltip(true)).toContain(`id="${id}" role="tooltip"`)
})

it('renders only the trigger if it is disabled', () => {
  expect(renderTooltip(false)).toContain('<button')
  expect(renderTooltip(false)).not.toMatch(/Sign Out|tooltip|describedby/)
})
