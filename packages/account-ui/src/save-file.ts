/** Saves a blob as a download with this file name. */
export function saveFile(blob: Blob, name: string): void {
  const url = URL.createObjectURL(blob)
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  // The download has started by the time this task runs, so the URL is no longer needed.
  setTimeout(() => URL.revokeObjectURL(url))
}
