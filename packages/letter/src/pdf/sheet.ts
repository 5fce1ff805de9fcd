import { EMBLEM_SIDE, emblemShape } from '../emblem-shape.ts'
import { PAGE_SIZE } from './canvas.ts'
import { formatNumber } from './file.ts'
import { drawText, inkWidth, setText, type TextStyle } from './measure.ts'
import { buildCheckFooter, buildSignatureBlock, drawWatermark } from './sheet-foot.ts'
import {
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
import { pathOperators } from './svg-path.ts'
import type { Kind } from './tags.ts'

/*
 * Draws the letter on its A4 sheet, with the measurements of `page.module.css`: all are in em of the type size, which is
 * reduced until a long letter fits.
 */

const MIN_FIT = 0.5
const STEP = 0.02

const TABLE_LINE_COLOUR = '#5c6a63'
const TABLE_HEAD_COLOUR = '#eef2ef'
const TABLE_SHARES = [0.07, 0.27, 0.24, 0.21, 0.21]

const gap = (height: number): Part => ({ height, draw: () => undefined })

/**
 * Draws the whole letter.
 * @returns the area of the link for checking it
 */
export function drawSheet(sheet: Sheet): LinkRectangle {
  let fit = 1
  let parts = buildParts(sheet, fit)
  const freeHeight = () =>
    PAGE_SIZE.height -
    2 * MARGIN -
    parts.above.concat(parts.below).reduce((sum, part) => sum + part.height, 0)
  while (freeHeight() < BODY_SIZE * fit && fit > MIN_FIT) {
    fit -= STEP
    parts = buildParts(sheet, fit)
  }
  // The watermark is first in reading order, but drawn last.
  const hasWatermark = sheet.watermark !== undefined || sheet.letter.status !== 'valid'
  const watermarkElement = hasWatermark ? sheet.tags.add(sheet.tags.root, 'P') : undefined
  let y = MARGIN
  const drawAll = (list: readonly Part[]) => {
    for (const part of list) {
      part.draw(y)
      y += part.height
    }
  }
  const spacer = Math.max(0, freeHeight())
  drawAll(parts.above)
  y += spacer
  drawAll(parts.below)
  if (watermarkElement) drawWatermark(sheet, watermarkElement)
  return parts.link
}

function buildParts(sheet: Sheet, fit: number) {
  const em = BODY_SIZE * fit
  const { content } = sheet.template
  const buildText = (kind: Kind, value: string, style: TextStyle): Part => {
    const block = setText(sheet.shaper, value, COLUMN_WIDTH, style)
    return { height: block.height, draw: y => drawBlock(sheet, kind, block, MARGIN, y) }
  }
  const body: TextStyle = { style: 'serif', size: em, leading: 1.5, colour: INK }
  const prose: TextStyle = { ...body, align: 'justify' }
  const check = buildCheckFooter(sheet, em * 0.8)
  const above: Part[] = [
    buildLetterhead(sheet, em),
    gap(1.5 * em),
    buildReference(sheet, body),
    gap(1.7 * em),
    buildRecipient(sheet, em),
    gap(1.6 * em),
    buildText('P', 'Dear Sir/Madam,', body),
    gap(1.2 * em),
    buildSubject(sheet, em),
    gap(1.1 * em),
    buildText('P', content.opening, prose),
    gap(1.3 * em * 0.94),
    buildTable(sheet, em * 0.94),
    gap(1.1 * em),
    buildText('P', content.closing, prose),
    gap(1.1 * em),
    buildText('P', content.thanks, prose),
  ]
  const below: Part[] = [buildSignatureBlock(sheet, em), gap(1.6 * em * 0.8), check.part]
  return { above, below, link: check.link }
}

function buildLetterhead(sheet: Sheet, em: number): Part {
  const { template, rule, shaper, canvas, images } = sheet
  const side = 6.4 * em
  const left = MARGIN + side + 1.4 * em
  const width = COLUMN_WIDTH - side - 1.4 * em
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
  const textsHeight = name.height + 0.36 * em + office.height
  const rowHeight = Math.max(side, textsHeight)
  const lineWidth = (0.26 * em) / 3
  return {
    height: rowHeight + 1.1 * em + 3 * lineWidth,
    draw(y) {
      const top = y + (rowHeight - side) / 2
      if (images.logo)
        drawImage(sheet, images.logo, { x: MARGIN, y: top, width: side, height: side }, 'artifact')
      else {
        const colour = [1, 3, 5]
          .map(index => formatNumber(Number.parseInt(rule.slice(index, index + 2), 16) / 255))
          .join(' ')
        const strokes = emblemShape.map(({ d, width: weight }) => `${weight} w\n${pathOperators(d)}\nS`)
        canvas.drawOperators(
          'artifact',
          { x: MARGIN, y: top, size: side, side: EMBLEM_SIDE },
          `${colour} RG 1 j\n${strokes.join('\n')}`,
        )
      }
      const textTop = y + (rowHeight - textsHeight) / 2
      drawBlock(sheet, 'P', name, left, textTop)
      drawBlock(sheet, 'P', office, left, textTop + name.height + 0.36 * em)
      const ruleTop = y + rowHeight + 1.1 * em
      for (const lineTop of [ruleTop, ruleTop + 2 * lineWidth])
        canvas.drawBox('artifact', rule, MARGIN, lineTop, COLUMN_WIDTH, lineWidth)
    },
  }
}

function buildReference(sheet: Sheet, body: TextStyle): Part {
  const { template, shaper, canvas, tags } = sheet
  const label = setText(shaper, 'Our ref:', COLUMN_WIDTH, { ...body, colour: MUTED })
  const date = setText(shaper, template.header.date, COLUMN_WIDTH, { ...body, align: 'end' })
  const spaceWidth = (shaper.shapeWord(' ', 'serif').width * body.size) / 1000
  const indent = inkWidth(label) + spaceWidth
  const ref = setText(
    shaper,
    template.header.ref_number,
    COLUMN_WIDTH - indent - inkWidth(date) - 2 * body.size,
    body,
  )
  return {
    height: ref.height,
    draw(y) {
      const line = tags.add(tags.root, 'P')
      drawText(canvas, shaper, line, label, MARGIN, y)
      drawText(canvas, shaper, line, ref, MARGIN + indent, y)
      drawBlock(sheet, 'P', date, MARGIN, y)
    },
  }
}

function buildRecipient({ template, shaper, canvas, tags }: Sheet, em: number): Part {
  const { company, address } = template.recipient
  const lines = [company, ...address].map((line, index) =>
    setText(shaper, line, 28 * em, {
      style: index === 0 ? 'serifBold' : 'serif',
      size: em,
      leading: 1.4,
      colour: INK,
    }),
  )
  return {
    height: lines.reduce((sum, { height }) => sum + height, 0),
    draw(y) {
      const block = tags.add(tags.root, 'P')
      let lineTop = y
      for (const line of lines) {
        drawText(canvas, shaper, tags.add(block, 'Span'), line, MARGIN, lineTop)
        lineTop += line.height
      }
    },
  }
}

function buildSubject(sheet: Sheet, em: number): Part {
  const style: TextStyle = { style: 'serifBold', size: em, leading: 1.35, colour: INK }
  const block = setText(sheet.shaper, sheet.template.subject, COLUMN_WIDTH, style)
  return {
    height: block.height,
    draw(y) {
      const lines = drawBlock(sheet, 'H1', block, MARGIN, y)
      for (const { left, right, baseline } of lines)
        sheet.canvas.drawBox('artifact', INK, left, baseline + 0.22 * em, right - left, 0.07 * em)
    },
  }
}

function buildTable(sheet: Sheet, em: number): Part {
  const { template, shaper, canvas, tags } = sheet
  const { sn, name, degree, class: grade, date } = template.content.certificate_details
  const widths = TABLE_SHARES.map(share => share * COLUMN_WIDTH)
  const [padY, padX, lineWidth] = [0.55 * em, 0.7 * em, 0.075 * em]
  const cells = (values: string[], isHeader: boolean) =>
    values.map((value, index) =>
      setText(shaper, value, (widths[index] ?? 0) - (index === 0 ? 0 : 2 * padX), {
        style: isHeader || index === 1 ? 'serifBold' : 'serif',
        size: em,
        leading: 1.35,
        colour: INK,
        ...(index === 0 && { align: 'centre' }),
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
        if (row.kind === 'TH')
          canvas.drawBox('artifact', TABLE_HEAD_COLOUR, MARGIN, top, COLUMN_WIDTH, row.height)
        const element = tags.add(table, 'TR')
        let x = MARGIN
        row.cells.forEach((cell, index) => {
          const cellElement = tags.add(element, row.kind)
          drawText(canvas, shaper, cellElement, cell, x + (index === 0 ? 0 : padX), top + padY)
          x += widths[index] ?? 0
        })
        top += row.height
      }
      const halfLine = lineWidth / 2
      for (const lineY of [y, y + (rows[0]?.height ?? 0), y + height])
        canvas.drawBox(
          'artifact',
          TABLE_LINE_COLOUR,
          MARGIN - halfLine,
          lineY - halfLine,
          COLUMN_WIDTH + lineWidth,
          lineWidth,
        )
      let x = MARGIN
      for (const width of [0, ...widths]) {
        x += width
        canvas.drawBox('artifact', TABLE_LINE_COLOUR, x - halfLine, y, lineWidth, height)
      }
    },
  }
}
