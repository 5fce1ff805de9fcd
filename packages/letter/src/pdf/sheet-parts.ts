import type { VerificationTemplate } from '@portal/contract/letter'
import type { PrintedLink } from '../code.ts'
import { type Canvas, type Colour, PAGE_SIZE } from './canvas.ts'
import type { PdfImage } from './image.ts'
import { type Block, drawText } from './measure.ts'
import type { Kind, Tags } from './tags.ts'
import type { Shaper } from './text.ts'

/** Half an inch, in points. */
export const MARGIN = 36
export const COLUMN_WIDTH = PAGE_SIZE.width - 2 * MARGIN
export const BODY_SIZE = 11

export const INK = '#16201c'
export const MUTED = '#45524c'

export interface Images {
  logo: NamedImage | undefined
  signature: NamedImage | undefined
  stamp: NamedImage | undefined
}
export type NamedImage = PdfImage & { name: string }

/** Everything that is needed to draw the sheet. */
export interface Sheet {
  template: VerificationTemplate
  letter: PrintedLink
  /** A watermark to draw instead of the one that states the status. */
  watermark?: string | undefined
  rule: Colour
  images: Images
  shaper: Shaper
  canvas: Canvas
  tags: Tags
}

/** A part of the sheet, with its height; it can be drawn at any vertical position. */
export interface Part {
  height: number
  draw(y: number): void
}

/** The area of a link, in points from the top left corner of the page. */
export interface LinkRectangle {
  x: number
  y: number
  width: number
  height: number
}

/** Draws a block of text as one structure element. */
export function drawBlock({ canvas, shaper, tags }: Sheet, kind: Kind, block: Block, x: number, y: number) {
  return drawText(canvas, shaper, tags.add(tags.root, kind), block, x, y)
}

export function drawImage(
  { canvas, tags }: Sheet,
  image: NamedImage,
  box: { x: number; y: number; width: number; height: number; align?: 'start' },
  owner: 'artifact' | { alt: string },
): void {
  const scale = Math.min(box.width / image.width, box.height / image.height)
  const [width, height] = [image.width * scale, image.height * scale]
  const x = box.align === 'start' ? box.x : box.x + (box.width - width) / 2
  const y = box.align === 'start' ? box.y + box.height - height : box.y + (box.height - height) / 2
  const element = owner === 'artifact' ? owner : addFigure(tags, owner.alt, x, y, width, height)
  canvas.drawImage(element, image, { x, y, width, height })
}

export const addFigure = (tags: Tags, alt: string, x: number, y: number, width: number, height: number) =>
  tags.add(tags.root, 'Figure', {
    alt,
    box: [x, PAGE_SIZE.height - y - height, x + width, PAGE_SIZE.height - y],
  })
