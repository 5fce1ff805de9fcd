import { Button } from '@portal/ui/button'
import { DefinitionList } from '@portal/ui/definition-list'
import { Drawer } from '@portal/ui/drawer'
import { useState } from 'react'
import type { StoryInfo } from '../story.ts'

export const about: StoryInfo = {
  group: 'Overlays',
  title: 'Drawer',
  text: 'A panel at the side of the screen: navigation at the start, the details of a record at the end.',
  viewportHeight: 480,
}

export function OnAction() {
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button onClick={() => setOpen(true)}>Open drawer</Button>
      <Drawer open={open} onClose={() => setOpen(false)} title="Menu">
        <p>Navigation on small screens.</p>
      </Drawer>
    </>
  )
}

export function Details() {
  return (
    <Drawer open onClose={() => undefined} title="Transaction" side="end">
      <DefinitionList
        items={[
          { term: 'Amount', value: '₦5,000.00' },
          { term: 'Status', value: 'Paid' },
          { term: 'Date', value: 'January 31, 2026' },
        ]}
      />
    </Drawer>
  )
}
