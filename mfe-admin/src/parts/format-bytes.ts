import { counted } from '@portal/format/counted'
import { formatFigure } from '@portal/format/numbers'

const units = ['kB', 'MB', 'GB', 'TB'] as const

/** Formats bytes as `12.4 MB`, in powers of 1000 as file managers do. */
export function formatBytes(bytes: number): string {
  if (bytes < 1000) return counted(bytes, 'byte')
  const power = Math.min(Math.floor(Math.log10(bytes) / 3), units.length)
  return `${formatFigure(bytes / 1000 ** power)} ${units[power - 1]}`
}
