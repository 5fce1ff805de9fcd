import { concat, deflate, encodeLatin1, inflate } from './bytes.ts'
import { formatNumber, type PdfFile, type Ref, refTo } from './file.ts'
import { readSvg } from './svg.ts'

/** An uploaded image. */
export interface ImageFile {
  type: 'image/png' | 'image/jpeg' | 'image/svg+xml'
  bytes: Uint8Array<ArrayBuffer>
  /** Hash of the content, by which an image that many letters use is decoded only once. */
  hash?: string
}

/** An image XObject, with its size in its own units: pixels, or the units of a drawing. */
export interface PdfImage {
  ref: Ref
  width: number
  height: number
  /** True for a drawing, which is scaled from its own coordinates; a bitmap is scaled from the unit square. */
  isVector: boolean
}

/** Maximum length of the longer side of an embedded bitmap, in pixels: about 900 dpi at the size of a stamp. */
const MAX_SIDE = 1200

/** Maximum number of pixels to decode, because a PNG of a few bytes can claim more than fits into memory. */
const MAX_PIXELS = 36_000_000

const readUint16 = (bytes: Uint8Array, offset: number) =>
  ((bytes[offset] ?? 0) << 8) | (bytes[offset + 1] ?? 0)
const readUint32 = (bytes: Uint8Array, offset: number) =>
  readUint16(bytes, offset) * 65536 + readUint16(bytes, offset + 2)

const colourSpaces: Record<number, string> = { 1: '/DeviceGray', 3: '/DeviceRGB', 4: '/DeviceCMYK' }

/** Embeds a JPEG unchanged. Only its frame header is read, for the size and the colour space. */
async function addJpeg(file: PdfFile, bytes: Uint8Array<ArrayBuffer>): Promise<PdfImage> {
  for (let offset = 2; offset < bytes.length; ) {
    const marker = bytes[offset + 1] ?? 0
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)
    if (bytes[offset] !== 0xff) break
    if (isFrame) {
      const [height, width] = [readUint16(bytes, offset + 5), readUint16(bytes, offset + 7)]
      const components = bytes[offset + 9] ?? 0
      const space = colourSpaces[components]
      if (!space || width === 0 || height === 0) break
      // Adobe software stores CMYK inverted.
      const decode = components === 4 ? '/Decode[1 0 1 0 1 0 1 0]' : ''
      const entries = `/Type/XObject/Subtype/Image/Width ${width}/Height ${height}/ColorSpace ${space}/BitsPerComponent 8${decode}/Filter/DCTDecode`
      return { ref: await file.addStream(entries, bytes, true), width, height, isVector: false }
    }
    offset += 2 + readUint16(bytes, offset + 2)
  }
  throw new Error('not a JPEG that can be shown')
}

interface Png {
  width: number
  height: number
  depth: number
  /** Colour type: 0 grey, 2 colour, 3 palette, 4 grey and alpha, 6 colour and alpha. */
  colour: number
  palette: Uint8Array
  transparent: Uint8Array
  data: Uint8Array<ArrayBuffer>
}

function readPng(bytes: Uint8Array<ArrayBuffer>): Png {
  const chunks: { type: string; data: Uint8Array<ArrayBuffer> }[] = []
  for (let offset = 8; offset + 8 <= bytes.length; ) {
    const length = readUint32(bytes, offset)
    const type = String.fromCharCode(...bytes.subarray(offset + 4, offset + 8))
    chunks.push({ type, data: bytes.subarray(offset + 8, offset + 8 + length) })
    offset += length + 12
  }
  const head = chunks[0]?.data
  const chunkData = (type: string) => chunks.find(chunk => chunk.type === type)?.data ?? new Uint8Array()
  if (!head || chunks[0]?.type !== 'IHDR' || head[12] !== 0) throw new Error('not a PNG that can be shown')
  const [width, height] = [readUint32(head, 0), readUint32(head, 4)]
  if (width === 0 || height === 0 || width * height > MAX_PIXELS) throw new Error('too large a PNG')
  const data = concat(chunks.filter(({ type }) => type === 'IDAT').map(chunk => chunk.data))
  const [depth = 0, colour = 0] = [head[8], head[9]]
  return { width, height, depth, colour, palette: chunkData('PLTE'), transparent: chunkData('tRNS'), data }
}

const channels: Record<number, number> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 }

/** Yields the unfiltered rows of a PNG (PNG, 9.2) one by one, so that a large image never has to be in memory as a whole. */
async function* readUnfilteredRows({ width, height, depth, colour, data }: Png): AsyncGenerator<Uint8Array> {
  const bits = depth * (channels[colour] ?? 1)
  const length = Math.ceil((width * bits) / 8)
  const step = Math.max(1, bits >> 3)
  let above = new Uint8Array(length)
  let row = new Uint8Array(length)
  let [filter, index, count] = [-1, 0, 0]
  for await (const piece of inflate(data)) {
    for (const value of piece) {
      if (filter < 0) {
        filter = value
        continue
      }
      const left = index >= step ? (row[index - step] ?? 0) : 0
      const upperLeft = index >= step ? (above[index - step] ?? 0) : 0
      row[index] = value + predictByte(filter, left, above[index] ?? 0, upperLeft)
      index += 1
      if (index < length) continue
      yield row
      count += 1
      if (count === height) return
      ;[above, row, index, filter] = [row, above, 0, -1]
    }
  }
  throw new Error('a PNG that ends too early')
}

function predictByte(filter: number, left: number, up: number, upperLeft: number): number {
  if (filter === 1) return left
  if (filter === 2) return up
  if (filter === 3) return (left + up) >> 1
  if (filter !== 4) return 0
  const guess = left + up - upperLeft
  const [a, b, c] = [Math.abs(guess - left), Math.abs(guess - up), Math.abs(guess - upperLeft)]
  return a <= b && a <= c ? left : b <= c ? up : upperLeft
}

interface Pixels {
  width: number
  height: number
  /** Red, green and blue of each pixel, 8 bits each. */
  colours: Uint8Array<ArrayBuffer>
  alpha: Uint8Array<ArrayBuffer>
}

/** Returns a function that decodes one pixel of a row into `output` as red, green, blue and alpha, 8 bits each. */
function createPixelReader({ depth, colour, palette, transparent }: Png) {
  const channelCount = channels[colour] ?? 1
  const max = (1 << Math.min(depth, 8)) - 1
  const sample = (row: Uint8Array, index: number): number => {
    // Of 16-bit samples, only the upper 8 bits are used.
    if (depth >= 8) return row[index * (depth / 8)] ?? 0
    const bit = index * depth
    return ((row[bit >> 3] ?? 0) >> (8 - depth - (bit & 7))) & max
  }
  return (row: Uint8Array, x: number, output: number[]): void => {
    const firstSample = x * channelCount
    if (colour === 3) {
      const entry = sample(row, firstSample)
      for (let part = 0; part < 3; part += 1) output[part] = palette[entry * 3 + part] ?? 0
      output[3] = transparent[entry] ?? 255
      return
    }
    const isGrey = colour === 0 || colour === 4
    for (let part = 0; part < 3; part += 1) {
      const value = sample(row, firstSample + (isGrey ? 0 : part))
      output[part] = depth < 8 ? (value * 255) / max : value
    }
    output[3] = colour === 4 || colour === 6 ? sample(row, firstSample + channelCount - 1) : 255
  }
}

/**
 * Decodes a PNG into colours and transparency, which PDF requires separately. A large image is downscaled by averaging squares
 * of pixels.
 */
async function readPixels(png: Png): Promise<Pixels> {
  const step = Math.ceil(Math.max(png.width, png.height) / MAX_SIDE)
  const [width, height] = [Math.ceil(png.width / step), Math.ceil(png.height / step)]
  const colours = new Uint8Array(width * height * 3)
  const alpha = new Uint8Array(width * height)
  const read = createPixelReader(png)
  const pixel = [0, 0, 0, 0]
  // Sums for each pixel of the output row: colours weighted by alpha, alpha, and the number of pixels.
  let sums = new Float64Array(width * 5)
  let y = 0
  for await (const row of readUnfilteredRows(png)) {
    for (let x = 0; x < png.width; x += 1) {
      read(row, x, pixel)
      const [red = 0, green = 0, blue = 0, opacity = 0] = pixel
      const index = Math.floor(x / step) * 5
      sums[index] = (sums[index] ?? 0) + red * opacity
      sums[index + 1] = (sums[index + 1] ?? 0) + green * opacity
      sums[index + 2] = (sums[index + 2] ?? 0) + blue * opacity
      sums[index + 3] = (sums[index + 3] ?? 0) + opacity
      sums[index + 4] = (sums[index + 4] ?? 0) + 1
    }
    y += 1
    if (y % step !== 0 && y !== png.height) continue
    const rowStart = (Math.ceil(y / step) - 1) * width
    for (let x = 0; x < width; x += 1) {
      const [opacity = 0, count = 1] = sums.subarray(x * 5 + 3, x * 5 + 5)
      for (let part = 0; part < 3; part += 1)
        colours[(rowStart + x) * 3 + part] =
          opacity === 0 ? 255 : Math.round((sums[x * 5 + part] ?? 0) / opacity)
      alpha[rowStart + x] = Math.round(opacity / count)
    }
    sums = new Float64Array(width * 5)
  }
  return { width, height, colours, alpha }
}

/** A decoded image, compressed for PDF streams. */
interface PackedPng {
  width: number
  height: number
  colours: Uint8Array<ArrayBuffer>
  /** Transparency; null for an opaque image. */
  alpha: Uint8Array<ArrayBuffer> | null
}

async function packPng(bytes: Uint8Array<ArrayBuffer>): Promise<PackedPng> {
  const { width, height, colours, alpha } = await readPixels(readPng(bytes))
  const isOpaque = alpha.every(value => value === 255)
  return { width, height, colours: await deflate(colours), alpha: isOpaque ? null : await deflate(alpha) }
}

/** Maximum number of cached images, which need not be large: all letters share the same logo, signature and stamp. */
const MAX_CACHED = 6
const packedImages = new Map<string, Promise<PackedPng>>()

/** Like `packPng`, but uses the cache if the image has a hash. */
function packPngOnce({ bytes, hash }: ImageFile): Promise<PackedPng> {
  if (hash === undefined) return packPng(bytes)
  const cached = packedImages.get(hash)
  if (cached) return cached
  const packing = packPng(bytes)
  packedImages.set(hash, packing)
  const [oldest] = packedImages.keys()
  if (packedImages.size > MAX_CACHED && oldest !== undefined) packedImages.delete(oldest)
  return packing
}

async function addPng(file: PdfFile, image: ImageFile): Promise<PdfImage> {
  const { width, height, colours, alpha } = await packPngOnce(image)
  const entries = `/Type/XObject/Subtype/Image/Width ${width}/Height ${height}/BitsPerComponent 8/Filter/FlateDecode`
  const mask = alpha
    ? `/SMask ${refTo(await file.addStream(`${entries}/ColorSpace/DeviceGray`, alpha, true))}`
    : ''
  const ref = await file.addStream(`${entries}/ColorSpace/DeviceRGB${mask}`, colours, true)
  return { ref, width, height, isVector: false }
}

async function addSvg(file: PdfFile, bytes: Uint8Array<ArrayBuffer>): Promise<PdfImage> {
  const { width, height, operators } = readSvg(new TextDecoder().decode(bytes))
  const entries = `/Type/XObject/Subtype/Form/BBox[0 0 ${formatNumber(width)} ${formatNumber(height)}]/Resources<<>>`
  // The y axis of a PDF form points up, that of an SVG down.
  const content = encodeLatin1(`1 0 0 -1 0 ${formatNumber(height)} cm\n${operators}`)
  return { ref: await file.addStream(entries, content), width, height, isVector: true }
}

/**
 * Adds an image to the file.
 * @returns undefined if it cannot be decoded, in which case the letter is drawn without it
 */
export async function addImage(file: PdfFile, image: ImageFile): Promise<PdfImage | undefined> {
  try {
    if (image.type === 'image/jpeg') return await addJpeg(file, image.bytes)
    if (image.type === 'image/png') return await addPng(file, image)
    return await addSvg(file, image.bytes)
  } catch {
    return undefined
  }
}
