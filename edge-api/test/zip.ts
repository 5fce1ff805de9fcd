/** Returns the files of an archive by name. They are located through its central directory, as archive programs do. */
export function readZipFiles(bytes: Uint8Array<ArrayBuffer>): Map<string, Uint8Array<ArrayBuffer>> {
  const view = new DataView(bytes.buffer)
  const end = bytes.length - 22
  if (view.getUint32(end, true) !== 0x06054b50) throw new Error('not a ZIP file')
  const files = new Map<string, Uint8Array<ArrayBuffer>>()
  let offset = view.getUint32(end + 16, true)
  for (let count = view.getUint16(end + 10, true); count > 0; count -= 1) {
    const [size, length] = [view.getUint32(offset + 24, true), view.getUint16(offset + 28, true)]
    const name = new TextDecoder().decode(bytes.slice(offset + 46, offset + 46 + length))
    const start = view.getUint32(offset + 42, true) + 30 + length
    files.set(name, bytes.slice(start, start + size))
    offset += 46 + length
  }
  return files
}
