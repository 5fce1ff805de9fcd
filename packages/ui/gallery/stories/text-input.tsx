import { FormLayout, FormRow } from '@portal/ui/form-layout'
import { TextInput } from '@portal/ui/text-input'
import { Search } from 'lucide-react'
import { useState } from 'react'
import { Narrow } from '../layout.tsx'
import type { StoryInfo, Values } from '../story.ts'

export const about: StoryInfo = {
  group: 'Forms',
  title: 'Text input',
  text: 'A labelled text field with help and error. It works with register() of react-hook-form.',
}

export const controls = {
  label: 'Email',
  type: ['email', 'text', 'tel', 'date', 'number'],
  placeholder: '',
  help: 'We send the verification link to it.',
  error: '',
  optional: false,
  labelHidden: false,
  mono: false,
  numeric: false,
  large: false,
  disabled: false,
  readOnly: false,
} as const

export function Playground(props: Values<typeof controls>) {
  return <TextInput {...props} />
}

export function CertificateNumber() {
  const [number, setNumber] = useState('')
  return (
    <Narrow>
      <TextInput
        label="Certificate number"
        help="Enter it exactly as printed on the certificate."
        placeholder="UG/2019/00123"
        value={number}
        onChange={event => setNumber(event.target.value.toUpperCase())}
        mono
        upper
        large
      />
    </Narrow>
  )
}

export function WithError() {
  return (
    <Narrow>
      <TextInput
        id="email"
        label="Email"
        type="email"
        defaultValue="ada@"
        error="Please enter a valid email address"
      />
    </Narrow>
  )
}

export function SideBySide() {
  return (
    <FormRow>
      <TextInput label="First name" autoComplete="given-name" defaultValue="Adébáyọ̀" />
      <TextInput label="Middle name" optional />
    </FormRow>
  )
}

export function ReadOnlyAndDisabled() {
  return (
    <Narrow>
      <FormLayout>
        <TextInput label="Account email" value="user@demo.test" readOnly help="Cannot be changed." />
        <TextInput label="Phone" disabled defaultValue="+234 803 123 4567" />
      </FormLayout>
    </Narrow>
  )
}

export function Kinds() {
  return (
    <Narrow>
      <FormLayout>
        <TextInput label="Search" type="search" icon={Search} placeholder="Name or email" />
        <TextInput label="Verification fee" numeric inputMode="decimal" defaultValue="5000.00" />
        <TextInput label="Graduation date" type="date" defaultValue="2026-01-31" />
      </FormLayout>
    </Narrow>
  )
}
