import { CertificateNumber, Code, TransactionId } from '@portal/ui/mono'
import { Row, Stack } from '../layout.tsx'
import type { StoryInfo, Values } from '../story.ts'

export const about: StoryInfo = {
  group: 'Foundations',
  title: 'Numbers and codes',
  text: 'What is compared character by character: certificate numbers, transaction IDs, references.',
}

export const controls = { number: 'UG/2019/00123', size: ['text', 'large'] } as const

export function Playground(props: Values<typeof controls>) {
  return <CertificateNumber {...props} />
}

export function LongNumber() {
  return <CertificateNumber number="UG/FACULTY-OF-SCIENCE/COMPUTER-SCIENCE/2019/00123" />
}

export function Transaction() {
  return (
    <Stack>
      <Row>
        <TransactionId id="CVF0123456789ABCDEFGHJKM" copy />
      </Row>
      <Row>
        <TransactionId id="CVF0123456789ABCDEFGHJKM" short copy />
      </Row>
    </Stack>
  )
}

export function Reference() {
  return <Code>PAY-0012-9931</Code>
}
