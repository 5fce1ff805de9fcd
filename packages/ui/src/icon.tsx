import type { LucideIcon } from 'lucide-react'

export interface IconProps {
  /** An icon component of lucide-react. */
  icon: LucideIcon
  /** Size in pixels at the default text size; scales with the text. */
  size?: number | undefined
  /** Accessible label, needed only if no adjacent text says the same. Without it, the icon is hidden from screen readers. */
  label?: string | undefined
  className?: string | undefined
}

/** An icon with the portal's stroke width. */
export function Icon({ icon: Glyph, size = 18, label, className }: IconProps) {
  const rem = `${size / 16}rem`
  const accessibility = label ? { role: 'img', 'aria-label': label } : { 'aria-hidden': true }
  return (
    <Glyph
      {...accessibility}
      width={rem}
      height={rem}
      strokeWidth={1.75}
      className={className}
      focusable="false"
    />
  )
}
