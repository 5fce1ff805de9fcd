import { encode } from 'uqr'

/** Width of the quiet zone in modules (ISO/IEC 18004). */
const QUIET_ZONE = 4

/**
 * Returns a QR code as one SVG path, in which each horizontal run of dark modules is a rectangle, and its size in modules
 * including the quiet zone.
 */
export function buildQrPath(text: string): { path: string; side: number } {
  const { data, size } = encode(text, { ecc: 'M', border: 0 })
  let path = ''
  data.forEach((row, y) => {
    let x = 0
    while (x < size) {
      let run = 0
      while (x + run < size && row[x + run]) run += 1
      if (run > 0) path += `M${x + QUIET_ZONE} ${y + QUIET_ZONE}h${run}v1h-${run}z`
      x += run || 1
    }
  })
  return { path, side: size + 2 * QUIET_ZONE }
}
