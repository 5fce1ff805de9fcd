import { Badge } from '@portal/ui/badge'
import { Avatar } from '@portal/ui/logo'
import { Menu, type MenuItem } from '@portal/ui/menu'
import { LogOut, UserRound } from 'lucide-react'
import { useEffect } from 'react'
import type { StoryInfo } from '../story.ts'

export const about: StoryInfo = {
  group: 'Actions',
  title: 'Menu',
  text: 'A button that opens a list of actions. Escape, a click outside or a choice closes it; arrow keys move in it.',
  viewportHeight: 300,
}

const items: readonly MenuItem[] = [
  {
    id: 'profile',
    label: 'Profile Settings',
    icon: UserRound,
    href: '#profile',
    onSelect: () => window.location.assign('#chosen'),
  },
  { id: 'out', label: 'Sign Out', icon: LogOut, danger: true },
]

export function Closed() {
  return <Menu label="Account of Adébáyọ̀ Ọláṣẹ́ńí" trigger={<Avatar name="Adébáyọ̀ Ọláṣẹ́ńí" />} items={items} />
}

export function Open() {
  useEffect(() => document.querySelector<HTMLElement>('[popover]:not(:popover-open)')?.showPopover(), [])
  return (
    <Menu
      label="Account of Adébáyọ̀ Ọláṣẹ́ńí"
      trigger={<Avatar name="Adébáyọ̀ Ọláṣẹ́ńí" />}
      header={
        <>
          <p>
            <strong>Adébáyọ̀ Ọláṣẹ́ńí</strong>
          </p>
          <p>user@demo.test</p>
          <Badge>User</Badge>
        </>
      }
      items={items}
    />
  )
}
