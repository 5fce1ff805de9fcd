import { Button } from '@portal/ui/button'
import { PageHeader } from '@portal/ui/page-header'
import type { StoryInfo, Values } from '../story.ts'

export const about: StoryInfo = {
  group: 'Navigation',
  title: 'Page header',
  text: 'The heading of a page, with its description and one primary action. It gets the focus after navigation.',
}

export const controls = {
  title: 'Verification History',
  description: 'Everything you have verified, with its letters.',
  note: '',
} as const

export function Playground(props: Values<typeof controls>) {
  return <PageHeader {...props} />
}

export function WithAction() {
  return (
    <PageHeader
      title="Certificates"
      note="(Admin View)"
      description="The register of the institution."
      action={<Button variant="primary">Add certificate</Button>}
    />
  )
}
