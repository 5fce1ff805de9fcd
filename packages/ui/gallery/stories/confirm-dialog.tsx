import { Button } from '@portal/ui/button'
import { ConfirmDialog } from '@portal/ui/confirm-dialog'
import { useState } from 'react'
import type { StoryInfo, Values } from '../story.ts'

export const about: StoryInfo = {
  group: 'Overlays',
  title: 'Confirm dialog',
  text: 'Asks before a destructive action. The question is the title, the button repeats its verb, and Cancel has the focus.',
  viewportHeight: 360,
}

export const controls = {
  title: 'Delete this certificate?',
  children: 'UG/2019/00123 will no longer be found. Letters already issued stay valid.',
  confirmLabel: 'Delete',
  cancelLabel: 'Cancel',
  danger: true,
  busy: false,
} as const

export function Playground(props: Values<typeof controls>) {
  return <ConfirmDialog open onConfirm={() => undefined} onCancel={() => undefined} {...props} />
}

export function OnAction() {
  const [open, setOpen] = useState(false)
  const close = () => setOpen(false)
  return (
    <>
      <Button onClick={() => setOpen(true)}>Ask before deleting</Button>
      <ConfirmDialog
        open={open}
        title="Delete this certificate?"
        confirmLabel="Delete"
        onConfirm={close}
        onCancel={close}
      >
        <p>UG/2019/00123 will no longer be found. Letters already issued stay valid.</p>
      </ConfirmDialog>
    </>
  )
}
