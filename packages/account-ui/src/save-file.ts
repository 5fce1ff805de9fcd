/** Has the browser save a file under a name, as though a link to it had been followed. */
export function saveFile(blob: Blob, name: string): void {
  const address = URL.createObjectURL(blob)
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  // The browser has taken hold of it by the next task.
  setTimeout(() => URL.revokeObjectURL(address))
}
