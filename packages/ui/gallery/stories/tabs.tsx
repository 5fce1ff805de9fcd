import { TabLinks, Tabs } from '@portal/ui/tabs'
import { KeyRound, UserRound } from 'lucide-react'
import { useState } from 'react'
import type { StoryInfo } from '../story.ts'

export const about: StoryInfo = {
  group: 'Navigation',
  title: 'Tabs',
  text: 'Sections of one page. Tabs keep the address; tab links are for sections with their own.',
}

export function InOnePage() {
  const [tab, setTab] = useState<'profile' | 'password'>('profile')
  return (
    <Tabs
      label="Profile Settings"
      value={tab}
      onChange={setTab}
      tabs={[
        { id: 'profile', label: 'Profile Information', icon: UserRound },
        { id: 'password', label: 'Change Password', icon: KeyRound },
      ]}
    >
      <p>{tab === 'profile' ? 'Names, phone and address.' : 'Current and new password.'}</p>
    </Tabs>
  )
}

export function Links() {
  return (
    <TabLinks label="Reports">
      <a href="#income" aria-current="page">
        Income
      </a>
      <a href="#refunds">Refunds</a>
      <a href="#settlements">Settlements</a>
    </TabLinks>
  )
}
