import { DefinitionList } from '@portal/ui/definition-list'
import { CertificateNumber } from '@portal/ui/mono'
import { Narrow } from '../layout.tsx'
import type { StoryInfo } from '../story.ts'

export const about: StoryInfo = {
  group: 'Data',
  title: 'Definition list',
  text: 'The fields of one record: terms and values in rows, stacked on narrow screens.',
}

export function Ruled() {
  return (
    <DefinitionList
      items={[
        { term: 'Certificate number', value: <CertificateNumber number="UG/2019/00123" /> },
        { term: 'Student name', value: 'Adébáyọ̀ Ọláṣẹ́ńí' },
        { term: 'Course', value: 'B.Sc. Computer Science' },
        { term: 'Graduation date', value: 'January 31, 2026' },
        { term: 'Grade', value: 'Second Class Honours (Upper Division)' },
      ]}
    />
  )
}

export function Compact() {
  return (
    <Narrow>
      <DefinitionList
        variant="compact"
        items={[
          { term: 'Verification fee', value: '₦5,000.00' },
          { term: 'Processing time', value: 'Instant' },
          { term: 'Payment method', value: 'Card' },
          { term: 'Official letter', value: 'Printable PDF' },
        ]}
      />
    </Narrow>
  )
}
