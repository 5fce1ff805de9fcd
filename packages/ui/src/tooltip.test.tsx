import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it } from 'vitest'
import { Tooltip } from './tooltip.tsx'

const drawn = (enabled: boolean) =>
  renderToStaticMarkup(
    <Tooltip text="Sign Out" enabled={enabled}>
      {described => <button type="button" {...described} />}
    </Tooltip>,
  )

it('describes the trigger with its text', () => {
  const id = /aria-describedby="([^"]+)"/.exec(drawn(true))?.[1]
  expect(drawn(true)).toContain(`id="${id}" role="tooltip"`)
})

it('renders only the trigger if it is disabled', () => {
  expect(drawn(false)).toContain('<button')
  expect(drawn(false)).not.toMatch(/Sign Out|tooltip|describedby/)
})
