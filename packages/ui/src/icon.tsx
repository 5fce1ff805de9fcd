import type { StatusIcon as StatusIconName } from '@portal/format/status'
import {
  Ban,
  CircleAlert,
  CircleCheck,
  CircleQuestionMark,
  CircleX,
  Hourglass,
  Info,
  LoaderCircle,
  type LucideIcon,
} from 'lucide-react'

interface IconProps {
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

const glyphs: Readonly<Record<StatusIconName, LucideIcon>> = {
  tick: CircleCheck,
  cross: CircleX,
  hourglass: Hourglass,
  progress: LoaderCircle,
  ban: Ban,
  warning: CircleAlert,
  info: Info,
  question: CircleQuestionMark,
}

/** The icon that `@portal/format/status` names; always stands beside its word. */
export function StatusGlyph({
  icon,
  size = 16,
  className,
}: { icon: StatusIconName } & Omit<IconProps, 'icon' | 'label'>) {
  return <Icon icon={glyphs[icon]} size={size} className={className} />
}
