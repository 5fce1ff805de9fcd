import { Checklist } from '@portal/ui/checklist'
import { FormLayout } from '@portal/ui/form-layout'
import { PasswordInput } from '@portal/ui/password-input'
import { useState } from 'react'
import { Narrow } from '../layout.tsx'
import type { StoryInfo } from '../story.ts'

export const about: StoryInfo = {
  group: 'Forms',
  title: 'Password input',
  text: 'A password field with a button that shows what was typed. Pasting is allowed.',
}

export function CurrentPassword() {
  return (
    <Narrow>
      <PasswordInput label="Password" autoComplete="current-password" defaultValue="Demo1234" />
    </Narrow>
  )
}

export function WithError() {
  return (
    <Narrow>
      <PasswordInput label="Password" autoComplete="current-password" error="Password is required" />
    </Narrow>
  )
}

export function NewPassword() {
  const [password, setPassword] = useState('Demo')
  return (
    <Narrow>
      <FormLayout>
        <PasswordInput
          label="New password"
          autoComplete="new-password"
          value={password}
          onChange={event => setPassword(event.target.value)}
          aria-describedby="requirements"
        />
        <Checklist
          id="requirements"
          label="Password requirements"
          items={[
            { label: 'At least 8 characters', done: password.length >= 8 },
            { label: 'One uppercase letter', done: /[A-Z]/.test(password) },
            { label: 'One lowercase letter', done: /[a-z]/.test(password) },
            { label: 'One number', done: /\d/.test(password) },
          ]}
        />
      </FormLayout>
    </Narrow>
  )
}
