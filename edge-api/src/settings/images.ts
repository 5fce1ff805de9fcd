import { IMAGE_NAME } from '@portal/contract/brand'
import type { ImageType } from './image-store.ts'

/*
 * Determines the type of an uploaded image from its bytes, because the type that a browser sends is not reliable. The extension
 * of the file name must match, but may be missing.
 */

const extensions: Record<ImageType, string> = {
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'image/svg+xml': 'svg',
}

const namePatterns: Record<ImageType, RegExp> = {
  'image/png': /^[^.]*$|\.png$/i,
  'image/jpeg': /^[^.]*$|\.jpe?g$/i,
  'image/svg+xml': /^[^.]*$|\.svg$/i,
}

/** True if a file name has an extension of this image type, or none. */
export const isNamedAs = (type: ImageType, filename: string) => namePatterns[type].test(filename)

/** Maximum width and height, in pixels, because even a small file can decode to a picture that does not fit into memory. */
const MAX_SIDE = 4000

/** Returns the address of an image by its hash, in the form in which settings and letters store it. */
export const imageAddressOf = (hash: string, type: ImageType) => `/api/images/${hash}.${extensions[type]}`

/** Returns the hash in an image's address (`/api/images/….png`, or only its last part); undefined for any other address. */
export function imageHashOf(address: string): string | undefined {
  return IMAGE_NAME.exec(address.slice(address.lastIndexOf('/') + 1))?.[1]
}

export interface Picture {
  type: ImageType
  bytes: Uint8Array<ArrayBuffer>
}

const PNG_SIGNATURE = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]
const JPEG_SIGNATURE = [0xff, 0xd8, 0xff]
const startsWith = (bytes: Uint8Array, magic: readonly number[]) =>
  magic.every((byte, index) => bytes[index] === byte)

/** Thrown for an image that is rejected; the message gives the reason for the person who chose it. */
export class ImageRefusedError extends Error {}

interface ParsedImage {
  width: number
  height: number
  /** The parts of the file that contain the picture. Anything between or after them is dropped. */
  parts: Uint8Array[]
}

/**
 * Chunks of a PNG that are kept, because they affect the picture. Others could animate it forever (`acTL`), unpack to any size
 * (`iCCP`, `zTXt`), or contain another file.
 */
const PNG_CHUNKS = new Set('IHDR PLTE tRNS gAMA cHRM sRGB sBIT pHYs IDAT IEND'.split(' '))
/** Allowed bits per sample for each colour type (PNG, 11.2.2). */
const PNG_DEPTHS: Record<number, readonly number[]> = {
  0: [1, 2, 4, 8, 16],
  2: [8, 16],
  3: [1, 2, 4, 8],
  4: [8, 16],
  6: [8, 16],
}

/** Reads all chunks of a PNG. @returns undefined if the file is truncated or damaged */
function parsePng(bytes: Uint8Array): ParsedImage | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const kindAt = (offset: number) => String.fromCharCode(...bytes.subarray(offset + 4, offset + 8))
  if (bytes.length < 33 || kindAt(8) !== 'IHDR' || view.getUint32(8) !== 13) return undefined
  if (!PNG_DEPTHS[bytes[25] ?? -1]?.includes(bytes[24] ?? 0)) return undefined
  const size = { width: view.getUint32(16), height: view.getUint32(20) }
  const parts = [bytes.subarray(0, 8)]
  let hasData = false
  for (let offset = 8; offset + 12 <= bytes.length; offset += 12 + view.getUint32(offset)) {
    const kind = kindAt(offset)
    if (kind === 'IHDR' && offset !== 8) return undefined
    if (kind === 'IDAT') hasData = true
    if (PNG_CHUNKS.has(kind)) parts.push(bytes.subarray(offset, offset + 12 + view.getUint32(offset)))
    if (kind === 'IEND') return hasData ? { ...size, parts } : undefined
  }
  return undefined
}

/** Returns the position of the next marker after the coded data of a scan, in which `ff 00` and restart markers may occur. */
function findScanEnd(bytes: Uint8Array, from: number): number {
  for (let offset = from; offset + 1 < bytes.length; offset++) {
    if (bytes[offset] !== 0xff) continue
    const next = bytes[offset + 1] ?? 0
    if (next !== 0 && next !== 0xff && (next < 0xd0 || next > 0xd7)) return offset
  }
  return bytes.length
}

/**
 * Maximum number of scans in a JPEG. Progressive files have about ten, and decoding each takes a pass over the whole picture.
 */
const MAX_SCANS = 40

/** Reads all segments of a JPEG. @returns undefined if the file is truncated or damaged */
function parseJpeg(bytes: Uint8Array): ParsedImage | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  let size: { width: number; height: number } | undefined
  let scans = 0
  let offset = 2
  while (offset + 2 <= bytes.length) {
    const marker = bytes[offset + 1] ?? 0
    if (bytes[offset] !== 0xff) return undefined
    if (marker === 0xd9)
      return size && scans > 0 ? { ...size, parts: [bytes.subarray(0, offset + 2)] } : undefined
    if (marker === 0xff) {
      offset += 1
      continue
    }
    if (offset + 4 > bytes.length) return undefined
    // A start of frame, of any coding method, which contains height and width.
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)
    if (isFrame && offset + 9 <= bytes.length)
      size = { height: view.getUint16(offset + 5), width: view.getUint16(offset + 7) }
    offset += 2 + view.getUint16(offset + 2)
    if (marker !== 0xda) continue
    scans += 1
    if (scans > MAX_SCANS)
      throw new ImageRefusedError(
        'This image takes too long to draw. Please save it again as a PNG or a baseline JPEG.',
      )
    offset = findScanEnd(bytes, offset)
  }
  return undefined
}

/** Returns the bytes of an image without the parts that were dropped. @throws ImageRefusedError if it is damaged or too large */
function joinParts(image: ParsedImage | undefined): Uint8Array<ArrayBuffer> {
  if (!image || image.width === 0 || image.height === 0)
    throw new ImageRefusedError('This image is damaged or incomplete. Please choose another.')
  if (image.width > MAX_SIDE || image.height > MAX_SIDE)
    throw new ImageRefusedError(`Please choose an image of at most ${MAX_SIDE} by ${MAX_SIDE} pixels.`)
  return new Uint8Array(Buffer.concat(image.parts))
}

/**
 * Recognises a PNG or JPEG by its bytes, and removes its metadata.
 * @returns undefined if it is neither
 * @throws ImageRefusedError if it is damaged, has too many pixels or takes too long to draw
 */
export function readRaster(bytes: Uint8Array): Picture | undefined {
  if (startsWith(bytes, PNG_SIGNATURE)) return { type: 'image/png', bytes: joinParts(parsePng(bytes)) }
  if (startsWith(bytes, JPEG_SIGNATURE)) return { type: 'image/jpeg', bytes: joinParts(parseJpeg(bytes)) }
  return undefined
}
