import { FormErrorSummary } from '@portal/ui/form-error-summary'
import { FormLayout } from '@portal/ui/form-layout'
import { TextInput } from '@portal/ui/text-input'
import type { StoryInfo } from '../story.ts'

export const about: StoryInfo = {
  group: 'Forms',
  title: 'Form error summary',
  text: 'All errors of a long form, each linked to its field. It shows nothing without errors.',
}

export function Errors() {
  return (
    <FormLayout>
      <FormErrorSummary
        errors={[
          { field: 'summary-email', message: 'Please enter a valid email address' },
          { field: 'summary-phone', message: 'Phone number is required' },
        ]}
      />
      <TextInput
        id="summary-email"
        label="Email"
        defaultValue="ada@"
        error="Please enter a valid email address"
      />
      <TextInput id="summary-phone" label="Phone" error="Phone number is required" />
    </FormLayout>
  )
}

export function OfTheServer() {
  return <FormErrorSummary errors={[]} message="An account with this email address already exists." />
}
