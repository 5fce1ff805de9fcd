import { Select } from '@portal/ui/select'
import { Narrow } from '../layout.tsx'
import type { StoryInfo, Values } from '../story.ts'

export const about: StoryInfo = {
  group: 'Forms',
  title: 'Select',
  text: 'One of several options, as the platform’s own list. For up to four options with an explanation, use radio buttons.',
}

const roles = [
  { value: 'user', label: 'User' },
  { value: 'admin', label: 'Administrator' },
  { value: 'super_admin', label: 'Super Administrator' },
]

export const controls = {
  label: 'Role',
  placeholder: 'All roles',
  help: '',
  error: '',
  optional: false,
  disabled: false,
} as const

export function Playground(props: Values<typeof controls>) {
  return <Select options={roles} {...props} />
}

export function Chosen() {
  return (
    <Narrow>
      <Select label="Role of the account" options={roles} defaultValue="admin" />
    </Narrow>
  )
}

export function WithError() {
  return (
    <Narrow>
      <Select label="Reason" options={roles} placeholder="Choose one" error="Choose a reason" />
    </Narrow>
  )
}
