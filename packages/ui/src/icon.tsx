import type { LucideIcon } from 'lucide-react'

export interface IconProps {
  /** An icon of lucide-react, imported by name. */
  icon: LucideIcon
  /** Pixels at the default text size; grows with the text. */
  size?: number | undefined
  /** Only where no text says the same; without it the icon is hidden from screen readers. */
  label?: string | undefined
  className?: string | undefined
}

/** One icon, one stroke width. */
export function Icon({ icon: Glyph, size = 18, label, className }: IconProps) {
  const rem = `${size / 16}rem`
  const named = label ? { role: 'img', 'aria-label': label } : { 'aria-hidden': true }
  return (
    <Glyph {...named} width={rem} height={rem} strokeWidth={1.75} className={className} focusable="false" />
  )
}
