import { formatFigure } from '@portal/format/numbers'

const units = ['bytes', 'kB', 'MB', 'GB', 'TB'] as const

/** Formats bytes as `12.4 MB`, in powers of 1000 as file managers do. */
export function formatBytes(bytes: number): string {
  const power = bytes < 1 ? 0 : Math.min(Math.floor(Math.log10(bytes) / 3), units.length - 1)
  return `${formatFigure(bytes / 1000 ** power)} ${units[power]}`
}
