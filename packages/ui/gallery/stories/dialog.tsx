import { Button } from '@portal/ui/button'
import { Dialog } from '@portal/ui/dialog'
import { FormLayout } from '@portal/ui/form-layout'
import { PasswordInput } from '@portal/ui/password-input'
import { TextInput } from '@portal/ui/text-input'
import { useState } from 'react'
import type { StoryInfo } from '../story.ts'

export const about: StoryInfo = {
  group: 'Overlays',
  title: 'Dialog',
  text: 'A form or a detail over the page. Its first field gets the focus; Escape or a click outside closes it.',
  viewportHeight: 560,
}

function Login({ openAtFirst }: { openAtFirst: boolean }) {
  const [open, setOpen] = useState(openAtFirst)
  const close = () => setOpen(false)
  return (
    <>
      <Button onClick={() => setOpen(true)}>Open dialog</Button>
      <Dialog
        open={open}
        onClose={close}
        title="Login to Your Account"
        description="Your verifications and letters are kept with your account."
        footer={
          <>
            <Button onClick={close}>Cancel</Button>
            <Button variant="primary">Login</Button>
          </>
        }
      >
        <FormLayout>
          <TextInput label="Email" type="email" autoComplete="username" />
          <PasswordInput label="Password" autoComplete="current-password" error="Password is required" />
        </FormLayout>
      </Dialog>
    </>
  )
}

export function Closed() {
  return <Login openAtFirst={false} />
}

export function Open() {
  return <Login openAtFirst />
}

export function NotClosable() {
  return (
    <Dialog open onClose={() => undefined} title="Importing certificates" size="sm" closable={false}>
      <p>Please wait. This takes a few seconds.</p>
    </Dialog>
  )
}
