import { Button } from '@portal/ui/button'
import { FormActions, FormLayout, FormRow } from '@portal/ui/form-layout'
import { Select } from '@portal/ui/select'
import { TextInput } from '@portal/ui/text-input'
import type { StoryInfo } from '../story.ts'

export const about: StoryInfo = {
  group: 'Forms',
  title: 'Form layout',
  text: 'Stacks fields, places related ones side by side where they fit, and keeps the buttons together.',
}

const countries = [{ value: 'NG', label: 'Nigeria' }]

export function AForm() {
  return (
    <FormLayout>
      <FormRow>
        <TextInput label="First name" />
        <TextInput label="Last name" />
      </FormRow>
      <TextInput label="Email" type="email" />
      <FormRow>
        <TextInput label="City" />
        <Select label="Country" options={countries} />
      </FormRow>
      <FormActions>
        <Button variant="primary">Save</Button>
        <Button>Cancel</Button>
      </FormActions>
    </FormLayout>
  )
}
