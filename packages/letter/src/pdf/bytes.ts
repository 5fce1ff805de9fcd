/** Converts text to bytes, one per character (ASCII, or Latin-1 in PDF syntax). */
export function encodeLatin1(text: string): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(text.length)
  for (let index = 0; index < text.length; index += 1) bytes[index] = text.charCodeAt(index)
  return bytes
}

export const toHex = (bytes: Iterable<number>): string =>
  Array.from(bytes, byte => byte.toString(16).padStart(2, '0')).join('')

export function concat(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0))
  let offset = 0
  for (const part of parts) {
    whole.set(part, offset)
    offset += part.length
  }
  return whole
}

const pipeThrough = async (bytes: Uint8Array<ArrayBuffer>, stream: GenericTransformStream) =>
  new Uint8Array(
    await new Response(new Blob([bytes]).stream().pipeThrough(stream as TransformPair)).arrayBuffer(),
  )
type TransformPair = ReadableWritablePair<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>

/** Compresses with a zlib header, as PDF and PNG require. */
export const deflate = (bytes: Uint8Array<ArrayBuffer>) =>
  pipeThrough(bytes, new CompressionStream('deflate'))

/**
 * Decompresses zlib data chunk by chunk.
 * @throws TypeError for invalid data
 */
export async function* inflate(bytes: Uint8Array<ArrayBuffer>): AsyncGenerator<Uint8Array> {
  const pair = new DecompressionStream('deflate') as TransformPair
  const reader = new Blob([bytes]).stream().pipeThrough(pair).getReader()
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      yield value
    }
  } finally {
    await reader.cancel().catch(() => undefined)
  }
}

export const inflateRaw = (bytes: Uint8Array<ArrayBuffer>) =>
  pipeThrough(bytes, new DecompressionStream('deflate-raw'))
