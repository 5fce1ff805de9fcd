import type { LucideIcon } from 'lucide-react'

export interface IconProps {
  /** An icon component of lucide-react. */
  icon: LucideIcon
  /** Size in pixels at the default text size; the icon scales with the text. */
  size?: number | undefined
  /**
   * Accessible label; only for an icon whose meaning no adjacent text states. An icon without a label is hidden from screen
   * readers.
   */
  label?: string | undefined
  className?: string | undefined
}

/** An icon with the stroke width that all icons in the portal have. */
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
