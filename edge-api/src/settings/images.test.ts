import { describe, expect, it, test } from 'vitest'
import { JPEG, PNG, TWO_SCAN_JPEG } from '../../test/pictures.ts'
import { imageAddressOf, imageHashOf, readRaster } from './images.ts'

const concatBytes = (...parts: (Uint8Array | string)[]) =>
  new Uint8Array(Buffer.concat(parts.map(part => Buffer.from(part))))

describe('a raster image', () => {
  test.each([
    ['PNG', PNG, 'image/png'],
    ['JPEG', JPEG, 'image/jpeg'],
    ['JPEG in several scans', TWO_SCAN_JPEG, 'image/jpeg'],
  ])('%s is recognised by its bytes and kept unchanged', (_, bytes, type) => {
    expect(readRaster(bytes)).toEqual({ type, bytes })
  })

  test.each([
    ['PNG', PNG],
    ['JPEG', JPEG],
    ['JPEG in several scans', TWO_SCAN_JPEG],
  ])('%s loses data after the end of the image', (_, bytes) => {
    expect(
      readRaster(concatBytes(bytes, 'PK\u0003\u0004 a whole archive', new Uint8Array([0xff, 0xd9])))?.bytes,
    ).toEqual(bytes)
  })

  test.each([
    ['PNG', PNG],
    ['JPEG', JPEG],
    ['JPEG in several scans', TWO_SCAN_JPEG],
  ])('%s is refused if it is truncated anywhere', { tags: ['QUALITY-37'] }, (_, bytes) => {
    for (let end = 8; end < bytes.length; end++)
      expect(() => readRaster(bytes.slice(0, end)), `at ${end}`).toThrow('damaged')
  })

  const chunk = (kind: string, data: string) => {
    const length = Buffer.alloc(4)
    length.writeUInt32BE(data.length)
    return concatBytes(length, kind, data, 'crc!')
  }
  /** Returns the PNG with additional chunks before its image data. */
  const withChunks = (...chunks: Uint8Array[]) => concatBytes(PNG.slice(0, 33), ...chunks, PNG.slice(33))

  test.each(['acTL', 'fcTL', 'fdAT', 'iCCP', 'zTXt', 'iTXt', 'tEXt', 'eXIf', 'prVt'])(
    'a PNG loses chunks that do not affect its picture: %s',
    { tags: ['QUALITY-54'] },
    kind => {
      expect(readRaster(withChunks(chunk(kind, '<script>')))?.bytes).toEqual(PNG)
    },
  )

  test.each(['PLTE', 'tRNS', 'gAMA', 'sRGB'])('a PNG keeps chunks that affect its picture: %s', kind => {
    const bytes = withChunks(chunk(kind, 'data'))
    expect(readRaster(bytes)?.bytes).toEqual(bytes)
  })

  test.each([
    ['of 7 bits', 24, 7],
    ['of an unknown kind of colour', 25, 5],
    ['of 4 bits in full colour', 24, 4],
    ['whose header has another length', 11, 12],
  ])('is refused if it is a PNG %s', (_, at, value) => {
    const bytes = PNG.slice()
    bytes[at] = value
    expect(() => readRaster(bytes)).toThrow('damaged')
  })

  it('is refused if it has two headers', () => {
    expect(() => readRaster(withChunks(PNG.slice(8, 33)))).toThrow('damaged')
  })

  it('is refused if it is a JPEG with thousands of scans, which browsers take 20 s or longer to draw', {
    tags: ['QUALITY-54'],
  }, () => {
    const start = JPEG.lastIndexOf(0xda) - 1
    const scan = JPEG.slice(start, -2)
    const scans = (count: number) =>
      concatBytes(JPEG.slice(0, start), ...Array.from({ length: count }, () => scan), JPEG.slice(-2))
    expect(readRaster(scans(12))?.type).toBe('image/jpeg')
    expect(() => readRaster(scans(1000))).toThrow('takes too long to draw')
  })

  it('is refused if it has too many pixels for its file size', () => {
    const huge = PNG.slice()
    new DataView(huge.buffer).setUint32(16, 50_000)
    expect(() => readRaster(huge)).toThrow('4000 by 4000 pixels')
  })

  test.each(['', 'GIF89a', 'PK\u0003\u0004', 'RIFF0000WEBP', '<svg/>', '%PDF-1.7'])('%j is invalid', text => {
    expect(readRaster(concatBytes(text))).toBeUndefined()
  })
})

describe('imageHashOf', () => {
  const hash = 'a'.repeat(64)

  it('returns the hash in the address of an image', () => {
    expect(imageHashOf(imageAddressOf(hash, 'image/jpeg'))).toBe(hash)
    expect(imageHashOf(`https://verify.example/api/images/${hash}.svg`)).toBe(hash)
  })

  test.each(['/logo.png', `/api/images/${hash}`, `/api/images/${hash}.exe`, `/api/images/..${hash}.png`])(
    'returns undefined for %s',
    address => {
      expect(imageHashOf(address)).toBeUndefined()
    },
  )
})
