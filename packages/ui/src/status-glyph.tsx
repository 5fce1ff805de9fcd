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
import { Icon, type IconProps } from './icon.tsx'

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

/** The icon named by `@portal/format/status`; always shown with its label. */
export function StatusGlyph({
  icon,
  size = 16,
  className,
}: { icon: StatusIconName } & Omit<IconProps, 'icon' | 'label'>) {
  return <Icon icon={glyphs[icon]} size={size} className={className} />
}
