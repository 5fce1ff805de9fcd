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

/** The icon of a status from `@portal/format`. It is always shown together with the label. */
export function StatusGlyph({
  icon,
  size = 16,
  className,
}: { icon: StatusIconName } & Omit<IconProps, 'icon' | 'label'>) {
  return <Icon icon={glyphs[icon]} size={size} className={className} />
}
