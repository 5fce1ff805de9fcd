import type { LetterLink, VerificationTemplate } from '@portal/contract/letter'
import { groupLetterCode, typedAddress } from '../code.ts'
import { EMBLEM_SIDE, emblemShape } from '../emblem-shape.ts'
import { qrPath } from '../qr.ts'
import { type Canvas, type Colour, PAGE } from './canvas.ts'
import { num } from './file.ts'
import type { PdfImage } from './image.ts'
import { type Block, baselineOf, drawText, inkWidth, setText, type TextStyle } from './measure.ts'
import { pathOperators } from './shape.ts'
import type { Element, Kind, Tags } from './tags.ts'
import type { Run, Shaper } from './text.ts'

/*
 * The letter on its A4 sheet, measure for measure as `page.module.css` has it: everything is in em of the type size, which
 * shrinks until a long letter stands on its page.
 */

/** Half an inch, in points. */
const MARGIN = 36
const COLUMN = PAGE.width - 2 * MARGIN
const BODY_SIZE = 11
const SMALLEST = 0.5
const STEP = 0.02

const INK = '#16201c'
const MUTED = '#45524c'
const TABLE_LINE = '#5c6a63'
const TABLE_HEAD = '#eef2ef'
const STAMP_LINE = '#7a8780'
const STAMP_TEXT = '#5f6b65'
const CHECK_RULE = '#b9c2bd'
const CHECK_TEXT = '#2c3732'
const VOID = '#e5a39c'
const TABLE_SHARES = [0.07, 0.27, 0.24, 0.21, 0.21]

export interface Images {
  logo: Named | undefined
  signature: Named | undefined
  stamp: Named | undefined
}
type Named = PdfImage & { name: string }

/** What the sheet is drawn from and on. */
export interface Sheet {
  template: VerificationTemplate
  letter: LetterLink
  rule: Colour
  images: Images
  shaper: Shaper
  canvas: Canvas
  tags: Tags
}

/** Something of a height that can be drawn at a place. */
interface Part {
  height: number
  draw(y: number): void
}

/** Where a link of the sheet is, in points from the top left corner, and whose content it is. */
export interface LinkPlace {
  x: number
  y: number
  width: number
  height: number
}

const gap = (height: number): Part => ({ height, draw: () => undefined })

/** Draws the whole letter. @returns where the address of its check stands */
export function drawSheet(sheet: Sheet): LinkPlace {
  let fit = 1
  let parts = partsOf(sheet, fit)
  const free = () =>
    PAGE.height - 2 * MARGIN - parts.above.concat(parts.below).reduce((sum, part) => sum + part.height, 0)
  while (free() < BODY_SIZE * fit && fit > SMALLEST) {
    fit -= STEP
    parts = partsOf(sheet, fit)
  }
  // The first thing that is read, and the last that is drawn.
  const voided = sheet.letter.status === 'valid' ? undefined : sheet.tags.add(sheet.tags.root, 'P')
  let y = MARGIN
  const drawAll = (list: readonly Part[]) => {
    for (const part of list) {
      part.draw(y)
      y += part.height
    }
  }
  const spacer = Math.max(0, free())
  drawAll(parts.above)
  y += spacer
  drawAll(parts.below)
  if (voided) drawVoid(sheet, voided)
  return parts.link
}

function partsOf(sheet: Sheet, fit: number) {
  const em = BODY_SIZE * fit
  const { template, tags } = sheet
  const { content } = template
  const text = (kind: Kind, value: string, style: TextStyle): Part => {
    const block = setText(sheet.shaper, value, COLUMN, style)
    return { height: block.height, draw: y => drawIn(sheet, kind, block, MARGIN, y) }
  }
  const body: TextStyle = { style: 'serif', size: em, leading: 1.5, colour: INK }
  const prose: TextStyle = { ...body, align: 'justify' }
  const check = checkOf(sheet, em * 0.8)
  const above: Part[] = [
    letterheadOf(sheet, em),
    gap(1.5 * em),
    referenceOf(sheet, body),
    gap(1.7 * em),
    recipientOf(sheet, em),
    gap(1.6 * em),
    text('P', 'Dear Sir/Madam,', body),
    gap(1.2 * em),
    subjectOf(sheet, em),
    gap(1.1 * em),
    text('P', content.opening, prose),
    gap(1.3 * em * 0.94),
    tableOf(sheet, em * 0.94),
    gap(1.1 * em),
    text('P', content.closing, prose),
    gap(1.1 * em),
    text('P', content.thanks, prose),
  ]
  const below: Part[] = [signingOf(sheet, em), gap(1.6 * em * 0.8), check.part]
  return { above, below, link: check.link, root: tags.root }
}

/** A block as one element of the structure. */
function drawIn({ canvas, shaper, tags }: Sheet, kind: Kind, block: Block, x: number, y: number) {
  return drawText(canvas, shaper, tags.add(tags.root, kind), block, x, y)
}

function letterheadOf(sheet: Sheet, em: number): Part {
  const { template, rule, shaper, canvas, images } = sheet
  const side = 6.4 * em
  const left = MARGIN + side + 1.4 * em
  const width = COLUMN - side - 1.4 * em
  const name = setText(shaper, template.header.institution, width, {
    style: 'serifBold',
    size: 2 * em,
    leading: 1.12,
    colour: rule,
  })
  const office = setText(shaper, template.header.address, width, {
    style: 'serif',
    size: 0.9 * em,
    leading: 1.35,
    colour: MUTED,
  })
  const texts = name.height + 0.36 * em + office.height
  const row = Math.max(side, texts)
  const line = (0.26 * em) / 3
  return {
    height: row + 1.1 * em + 3 * line,
    draw(y) {
      const top = y + (row - side) / 2
      if (images.logo)
        drawImage(sheet, images.logo, { x: MARGIN, y: top, width: side, height: side }, 'artifact')
      else {
        const colour = [1, 3, 5].map(at => num(Number.parseInt(rule.slice(at, at + 2), 16) / 255)).join(' ')
        const strokes = emblemShape.map(({ d, width: weight }) => `${weight} w\n${pathOperators(d)}\nS`)
        canvas.drawing(
          'artifact',
          { x: MARGIN, y: top, size: side, side: EMBLEM_SIDE },
          `${colour} RG 1 j\n${strokes.join('\n')}`,
        )
      }
      const at = y + (row - texts) / 2
      drawIn(sheet, 'P', name, left, at)
      drawIn(sheet, 'P', office, left, at + name.height + 0.36 * em)
      const ruleAt = y + row + 1.1 * em
      for (const each of [ruleAt, ruleAt + 2 * line]) canvas.box('artifact', rule, MARGIN, each, COLUMN, line)
    },
  }
}

function referenceOf(sheet: Sheet, body: TextStyle): Part {
  const { template, shaper, canvas, tags } = sheet
  const label = setText(shaper, 'Our ref:', COLUMN, { ...body, colour: MUTED })
  const date = setText(shaper, template.header.date, COLUMN, { ...body, align: 'end' })
  const blank = (shaper.word(' ', 'serif').width * body.size) / 1000
  const indent = inkWidth(label) + blank
  const ref = setText(
    shaper,
    template.header.ref_number,
    COLUMN - indent - inkWidth(date) - 2 * body.size,
    body,
  )
  return {
    height: ref.height,
    draw(y) {
      const line = tags.add(tags.root, 'P')
      drawText(canvas, shaper, line, label, MARGIN, y)
      drawText(canvas, shaper, line, ref, MARGIN + indent, y)
      drawIn(sheet, 'P', date, MARGIN, y)
    },
  }
}

function recipientOf({ template, shaper, canvas, tags }: Sheet, em: number): Part {
  const { company, address } = template.recipient
  const lines = [company, ...address].map((line, at) =>
    setText(shaper, line, 28 * em, {
      style: at === 0 ? 'serifBold' : 'serif',
      size: em,
      leading: 1.4,
      colour: INK,
    }),
  )
  return {
    height: lines.reduce((sum, { height }) => sum + height, 0),
    draw(y) {
      const block = tags.add(tags.root, 'P')
      let at = y
      for (const line of lines) {
        drawText(canvas, shaper, tags.add(block, 'Span'), line, MARGIN, at)
        at += line.height
      }
    },
  }
}

function subjectOf(sheet: Sheet, em: number): Part {
  const style: TextStyle = { style: 'serifBold', size: em, leading: 1.35, colour: INK }
  const block = setText(sheet.shaper, sheet.template.subject, COLUMN, style)
  return {
    height: block.height,
    draw(y) {
      const lines = drawIn(sheet, 'H1', block, MARGIN, y)
      for (const { left, right, baseline } of lines)
        sheet.canvas.box('artifact', INK, left, baseline + 0.22 * em, right - left, 0.07 * em)
    },
  }
}

function tableOf(sheet: Sheet, em: number): Part {
  const { template, shaper, canvas, tags } = sheet
  const { sn, name, degree, class: grade, date } = template.content.certificate_details
  const widths = TABLE_SHARES.map(share => share * COLUMN)
  const [padY, padX, line] = [0.55 * em, 0.7 * em, 0.075 * em]
  const cells = (values: string[], head: boolean) =>
    values.map((value, at) =>
      setText(shaper, value, (widths[at] ?? 0) - (at === 0 ? 0 : 2 * padX), {
        style: head || at === 1 ? 'serifBold' : 'serif',
        size: em,
        leading: 1.35,
        colour: INK,
        ...(at === 0 && { align: 'centre' }),
      }),
    )
  const rows = [
    { kind: 'TH' as const, cells: cells(['S/N', 'Name', 'Degree', 'Class', 'Date'], true) },
    { kind: 'TD' as const, cells: cells([sn, name, degree, grade, date], false) },
  ].map(row => ({ ...row, height: Math.max(...row.cells.map(cell => cell.height)) + 2 * padY }))
  const height = rows.reduce((sum, row) => sum + row.height, 0)
  return {
    height,
    draw(y) {
      const table = tags.add(tags.root, 'Table')
      let top = y
      for (const row of rows) {
        if (row.kind === 'TH') canvas.box('artifact', TABLE_HEAD, MARGIN, top, COLUMN, row.height)
        const element = tags.add(table, 'TR')
        let x = MARGIN
        row.cells.forEach((cell, at) => {
          const own = tags.add(element, row.kind)
          drawText(canvas, shaper, own, cell, x + (at === 0 ? 0 : padX), top + padY)
          x += widths[at] ?? 0
        })
        top += row.height
      }
      const half = line / 2
      for (const at of [y, y + (rows[0]?.height ?? 0), y + height])
        canvas.box('artifact', TABLE_LINE, MARGIN - half, at - half, COLUMN + line, line)
      let x = MARGIN
      for (const width of [0, ...widths]) {
        x += width
        canvas.box('artifact', TABLE_LINE, x - half, y, line, height)
      }
    },
  }
}

function drawImage(
  { canvas, tags }: Sheet,
  image: Named,
  place: { x: number; y: number; width: number; height: number; align?: 'start' },
  owner: 'artifact' | { alt: string },
): void {
  const scale = Math.min(place.width / image.width, place.height / image.height)
  const [width, height] = [image.width * scale, image.height * scale]
  const x = place.align === 'start' ? place.x : place.x + (place.width - width) / 2
  const y = place.align === 'start' ? place.y + place.height - height : place.y + (place.height - height) / 2
  const element = owner === 'artifact' ? owner : figure(tags, owner.alt, x, y, width, height)
  canvas.image(element, image, { x, y, width, height })
}

const figure = (tags: Tags, alt: string, x: number, y: number, width: number, height: number) =>
  tags.add(tags.root, 'Figure', { alt, box: [x, PAGE.height - y - height, x + width, PAGE.height - y] })

function signingOf(sheet: Sheet, em: number): Part {
  const { template, shaper, canvas, images, tags } = sheet
  const { name, title, for: onBehalf, email } = template.signature
  const stamp = 9.5 * em
  const style: TextStyle = { style: 'serif', size: em, leading: 1.35, colour: INK }
  const width = COLUMN - stamp - 2 * em
  const set = (text: string, more: Partial<TextStyle> = {}) =>
    setText(shaper, text, width, { ...style, ...more })
  const opening = set('Yours faithfully,')
  const signer = [
    set(name, { style: 'serifBold' }),
    set(title),
    ...(onBehalf ? [set(`For: ${onBehalf}`)] : []),
    ...(email ? [set(email, { size: 0.9 * em, colour: MUTED })] : []),
  ]
  const place = 4.6 * em
  const texts = opening.height + place + 0.4 * em + signer.reduce((sum, { height }) => sum + height, 0)
  const height = Math.max(texts, stamp)
  return {
    height,
    draw(y) {
      let at = y + height - texts
      drawIn(sheet, 'P', opening, MARGIN, at)
      at += opening.height
      if (images.signature) {
        const box = { x: MARGIN, y: at, width: 17 * em, height: place - 0.09 * em, align: 'start' as const }
        drawImage(sheet, images.signature, box, { alt: 'Signature' })
      }
      canvas.box('artifact', INK, MARGIN, at + place - 0.09 * em, 17 * em, 0.09 * em)
      at += place + 0.4 * em
      for (const line of signer) {
        drawIn(sheet, 'P', line, MARGIN, at)
        at += line.height
      }
      const [left, top] = [MARGIN + COLUMN - stamp, y + height - stamp]
      if (images.stamp) {
        drawImage(
          sheet,
          images.stamp,
          { x: left, y: top, width: stamp, height: stamp },
          { alt: 'Official stamp' },
        )
        return
      }
      canvas.dashedCircle(
        'artifact',
        STAMP_LINE,
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
          colour: STAMP_TEXT,
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

/** The strip at the foot: QR code, where to go and what to enter. */
function checkOf(sheet: Sheet, em: number): { part: Part; link: LinkPlace } {
  const { letter, shaper, canvas, tags } = sheet
  const style: TextStyle = { style: 'sans', size: em, leading: 1.45, colour: CHECK_TEXT }
  const side = 9 * em
  const [left, width] = [MARGIN + side, COLUMN - side]
  const title = setText(shaper, 'Is this letter genuine?', width, { ...style, style: 'sansBold' })
  const typed = typedAddress(letter.url, letter.code)
  const runs: Run[] = [
    { text: 'Scan the code, or go to', style: 'sans' },
    { text: typed, style: 'sansBold' },
    { text: 'and enter', style: 'sans' },
  ]
  const how = setText(shaper, runs, width, style)
  const codeStyle: TextStyle = {
    tracking: 0.04,
    style: 'mono',
    size: 1.35 * em,
    leading: 1.45,
    colour: CHECK_TEXT,
  }
  const code = setText(shaper, groupLetterCode(letter.code), width, codeStyle)
  const texts = title.height + how.height + 0.34 * em + code.height
  const inner = Math.max(side - 1.8 * em, texts)
  const link = { x: left, y: 0, width: inkWidth(how), height: how.height }
  return {
    link,
    part: {
      height: 0.99 * em + inner,
      draw(y) {
        canvas.box('artifact', CHECK_RULE, MARGIN, y, COLUMN, 0.09 * em)
        const top = y + 0.99 * em
        const { path, side: modules } = qrPath(letter.url)
        // Each run of dark modules is a rectangle one module high.
        const bars = Array.from(
          path.matchAll(/M(\d+) (\d+)h(\d+)/g),
          ([, x, top, run]) => `${x} ${top} ${run} 1 re`,
        )
        const place = { x: MARGIN - 0.9 * em, y: top + (inner - side) / 2, size: side, side: modules }
        const alt = `QR code of ${letter.url}`
        canvas.drawing(figure(tags, alt, place.x, place.y, side, side), place, `0 g\n${bars.join('\n')}\nf`)
        let at = top + (inner - texts) / 2
        drawIn(sheet, 'H2', title, left, at)
        at += title.height
        link.y = at
        const element = tags.add(tags.root, 'P')
        drawText(
          canvas,
          shaper,
          tags.add(element, 'Link', { alt: `Check this letter: ${letter.url}` }),
          how,
          left,
          at,
        )
        at += how.height + 0.34 * em
        drawIn(sheet, 'P', code, left, at)
      },
    },
  }
}

/** A letter that no longer stands says so across the sheet. */
function drawVoid({ shaper, canvas, letter }: Sheet, owner: Element): void {
  const text = letter.status === 'withdrawn' ? 'WITHDRAWN' : 'SUPERSEDED'
  const style: TextStyle = { style: 'sansBold', size: 5 * BODY_SIZE, leading: 1.3, colour: VOID }
  const block = setText(shaper, text, PAGE.width, style)
  const line = block.lines[0]
  if (!line) return
  const y = PAGE.height * 0.45
  canvas.turned(owner, VOID, style.size, line, {
    x: PAGE.width / 2,
    y: y + baselineOf(shaper, style) / 3,
    degrees: 18,
  })
}
