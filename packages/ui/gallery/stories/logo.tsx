import { Avatar, Logo, logoSources } from '@portal/ui/logo'
import { Row } from '../layout.tsx'
import type { StoryInfo } from '../story.ts'

export const about: StoryInfo = {
  group: 'Foundations',
  title: 'Logo and avatar',
  text: 'The institution’s logo, or its initials if it has none. An avatar has the initials of a person whose name is next to it.',
}

const missingLogo = logoSources('/no-such-logo')

export function WithoutAFile() {
  return (
    <Row>
      <Logo name="University of Greenfield" sources={missingLogo} size="sm" />
      <Logo name="University of Greenfield" sources={missingLogo} />
      <Logo name="University of Greenfield" sources={missingLogo} size="lg" />
    </Row>
  )
}

export function OfAPerson() {
  return (
    <Row>
      <Avatar name="Adébáyọ̀ Ọláṣẹ́ńí" />
      <span>Adébáyọ̀ Ọláṣẹ́ńí</span>
    </Row>
  )
}
