import { expect, test } from 'vitest'
import { cleanSvg } from '../../edge-api/src/settings/svg.ts'
import { logos } from '../../edge-api/test/logos.ts'
import { visit, withChromium } from './support/browser.ts'

withChromium()

const svg = (inner: string) =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 100" width="100" height="100">${inner}</svg>`
const repeat = (count: number, draw: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => draw(index)).join('')
const zigzag = (count: number) =>
  `M0 0${repeat(count, index => `L${(index * 37) % 101} ${(index * 61) % 97}`)}`
const gradient =
  '<radialGradient id="a" spreadMethod="repeat" r=".01"><stop/><stop offset="1" stop-color="red"/></radialGradient>'

/** Logos that are each as complex as the limits allow. */
const costlyLogos = {
  'a long path': svg(`<path fill-rule="evenodd" d="${zigzag(7900)}"/>`),
  'a long outline': svg(
    `<path fill="none" stroke="red" stroke-width="9" stroke-linejoin="round" d="${zigzag(7900)}"/>`,
  ),
  'a line back and forth': svg(
    `<path fill="none" stroke="red" stroke-width="99" stroke-linejoin="round" d="M0 0H${repeat(23_000, index => ` ${(index * 37) % 101}`)}"/>`,
  ),
  'wide curves': svg(
    `<path fill="none" stroke="red" stroke-width="500" stroke-linecap="round" d="M0 0${repeat(3400, index => `c${index % 99} 99 99 0 ${index % 7} 1`)}"/>`,
  ),
  'large arcs': svg(`<path stroke="red" d="M0 0${repeat(2950, index => `a1000000 ${index} 9 1 0 9 9`)}"/>`),
  'many gradients': svg(gradient + repeat(1990, () => '<rect fill="url(#a)" width="100" height="100"/>')),
  'nested layers': svg(
    repeat(140, () => `${'<g opacity=".9">'.repeat(13)}<path d="M0 0h99v99z"/>${'</g>'.repeat(13)}`),
  ),
  'nested enlargements': svg(
    `${'<g transform="scale(1000000)">'.repeat(13)}<path stroke="red" d="M0 0h99v99z"/>${'</g>'.repeat(13)}<path d="M0 0h9v9z"/>`,
  ),
}

test.each(Object.entries({ ...logos, ...costlyLogos }))(
  'Chromium draws an accepted logo: %s',
  { tags: ['QUALITY-37'] },
  async (_, source) => {
    const { page } = await visit()
    await page.goto('about:blank')
    const isDrawn = await page.evaluate(async text => {
      const image = new Image()
      image.src = URL.createObjectURL(new Blob([text], { type: 'image/svg+xml' }))
      await image.decode()
      const canvas = document.createElement('canvas')
      canvas.width = canvas.height = 300
      const context = canvas.getContext('2d')
      context?.drawImage(image, 0, 0, 300, 300)
      return context?.getImageData(0, 0, 300, 300).data.some(value => value > 0)
    }, cleanSvg(source))
    expect(isDrawn).toBe(true)
  },
)
