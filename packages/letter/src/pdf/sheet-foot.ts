import { groupLetterCode, typedAddress } from '../code.ts'
import { buildQrPath } from '../qr.ts'
import { PAGE_SIZE } from './canvas.ts'
import { baselineOf, drawText, inkWidth, setText, type TextStyle } from './measure.ts'
import {
  addFigure,
  BODY_SIZE,
  COLUMN_WIDTH,
  drawBlock,
  drawImage,
  INK,
  type LinkRectangle,
  MARGIN,
  MUTED,
  type Part,
  type Sheet,
} from './sheet-parts.ts'
import type { Element } from './tags.ts'
import type { Run } from './text.ts'

/* The lower part of the sheet: signature, stamp, and how to check the letter. */

const STAMP_LINE_COLOUR = '#7a8780'
const STAMP_TEXT_COLOUR = '#5f6b65'
const CHECK_RULE_COLOUR = '#b9c2bd'
const CHECK_TEXT_COLOUR = '#2c3732'
const WATERMARK_COLOUR = '#e5a39c'

/** Returns the part with the signature and the stamp, or placeholders for them. */
export function buildSignatureBlock(sheet: Sheet, em: number): Part {
  const { template, shaper, canvas, images, tags } = sheet
  const { name, title, for: onBehalf, email } = template.signature
  const stamp = 9.5 * em
  const style: TextStyle = { style: 'serif', size: em, leading: 1.35, colour: INK }
  const width = COLUMN_WIDTH - stamp - 2 * em
  const set = (text: string, overrides: Partial<TextStyle> = {}) =>
    setText(shaper, text, width, { ...style, ...overrides })
  const opening = set('Yours faithfully,')
  const signer = [
    set(name, { style: 'serifBold' }),
    set(title),
    ...(onBehalf ? [set(`For: ${onBehalf}`)] : []),
    ...(email ? [set(email, { size: 0.9 * em, colour: MUTED })] : []),
  ]
  const signatureHeight = 4.6 * em
  const textsHeight =
    opening.height + signatureHeight + 0.4 * em + signer.reduce((sum, { height }) => sum + height, 0)
  const height = Math.max(textsHeight, stamp)
  return {
    height,
    draw(y) {
      let lineTop = y + height - textsHeight
      drawBlock(sheet, 'P', opening, MARGIN, lineTop)
      lineTop += opening.height
      if (images.signature) {
        const box = {
          x: MARGIN,
          y: lineTop,
          width: 17 * em,
          height: signatureHeight - 0.09 * em,
          align: 'start' as const,
        }
        drawImage(sheet, images.signature, box, { alt: 'Signature' })
      }
      canvas.drawBox('artifact', INK, MARGIN, lineTop + signatureHeight - 0.09 * em, 17 * em, 0.09 * em)
      lineTop += signatureHeight + 0.4 * em
      for (const line of signer) {
        drawBlock(sheet, 'P', line, MARGIN, lineTop)
        lineTop += line.height
      }
      const [left, top] = [MARGIN + COLUMN_WIDTH - stamp, y + height - stamp]
      if (images.stamp) {
        drawImage(
          sheet,
          images.stamp,
          { x: left, y: top, width: stamp, height: stamp },
          { alt: 'Official stamp' },
        )
        return
      }
      canvas.drawDashedCircle(
        'artifact',
        STAMP_LINE_COLOUR,
        left + stamp / 2,
        top + stamp / 2,
        stamp / 2 - 0.07 * em,
        0.14 * em,
      )
      const words = ['OFFICIAL', 'STAMP'].map(word =>
        setText(shaper, word, stamp, {
          style: 'serif',
          size: em,
          leading: 1.3,
          colour: STAMP_TEXT_COLOUR,
          tracking: 0.08,
          align: 'centre',
        }),
      )
      const element = tags.add(tags.root, 'P')
      words.forEach((word, index) => {
        drawText(canvas, shaper, element, word, left, top + stamp / 2 + (index - 1) * 1.3 * em)
      })
    },
  }
}

/** Returns the footer: the QR code, the address, and the code to enter there. */
export function buildCheckFooter(sheet: Sheet, em: number): { part: Part; link: LinkRectangle } {
  const { letter, shaper, canvas, tags } = sheet
  const style: TextStyle = { style: 'sans', size: em, leading: 1.45, colour: CHECK_TEXT_COLOUR }
  const side = 9 * em
  const [left, width] = [MARGIN + side, COLUMN_WIDTH - side]
  const title = setText(shaper, 'Is this letter genuine?', width, { ...style, style: 'sansBold' })
  const typed = typedAddress(letter.url, letter.code)
  const runs: Run[] = [
    { text: 'Scan the code, or go to', style: 'sans' },
    { text: typed, style: 'sansBold' },
    { text: 'and enter', style: 'sans' },
  ]
  const instructions = setText(shaper, runs, width, style)
  const codeStyle: TextStyle = {
    tracking: 0.04,
    style: 'mono',
    size: 1.35 * em,
    leading: 1.45,
    colour: CHECK_TEXT_COLOUR,
  }
  const code = setText(shaper, groupLetterCode(letter.code), width, codeStyle)
  const textsHeight = title.height + instructions.height + 0.34 * em + code.height
  const innerHeight = Math.max(side - 1.8 * em, textsHeight)
  const link = { x: left, y: 0, width: inkWidth(instructions), height: instructions.height }
  return {
    link,
    part: {
      height: 0.99 * em + innerHeight,
      draw(y) {
        canvas.drawBox('artifact', CHECK_RULE_COLOUR, MARGIN, y, COLUMN_WIDTH, 0.09 * em)
        const top = y + 0.99 * em
        const { path, side: modules } = buildQrPath(letter.url)
        // Each horizontal run of dark modules becomes a rectangle that is one module high.
        const bars = Array.from(
          path.matchAll(/M(\d+) (\d+)h(\d+)/g),
          ([, x, top, run]) => `${x} ${top} ${run} 1 re`,
        )
        const qrBox = { x: MARGIN - 0.9 * em, y: top + (innerHeight - side) / 2, size: side, side: modules }
        const alt = `QR code of ${letter.url}`
        canvas.drawOperators(
          addFigure(tags, alt, qrBox.x, qrBox.y, side, side),
          qrBox,
          `0 g\n${bars.join('\n')}\nf`,
        )
        let lineTop = top + (innerHeight - textsHeight) / 2
        drawBlock(sheet, 'H2', title, left, lineTop)
        lineTop += title.height
        link.y = lineTop
        const element = tags.add(tags.root, 'P')
        drawText(
          canvas,
          shaper,
          tags.add(element, 'Link', { alt: `Check this letter: ${letter.url}` }),
          instructions,
          left,
          lineTop,
        )
        lineTop += instructions.height + 0.34 * em
        drawBlock(sheet, 'P', code, left, lineTop)
      },
    },
  }
}

/** Draws the watermark across a letter that is not valid. */
export function drawWatermark({ shaper, canvas, letter, watermark }: Sheet, owner: Element): void {
  const text = watermark ?? (letter.status === 'withdrawn' ? 'WITHDRAWN' : 'SUPERSEDED')
  const style: TextStyle = { style: 'sansBold', size: 5 * BODY_SIZE, leading: 1.3, colour: WATERMARK_COLOUR }
  const block = setText(shaper, text, PAGE_SIZE.width, style)
  const line = block.lines[0]
  if (!line) return
  const y = PAGE_SIZE.height * 0.45
  canvas.drawRotatedText(owner, WATERMARK_COLOUR, style.size, line, {
    x: PAGE_SIZE.width / 2,
    y: y + baselineOf(shaper, style) / 3,
    degrees: 18,
  })
}
