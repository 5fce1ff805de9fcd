import { Alert } from '@portal/ui/alert'
import { Button } from '@portal/ui/button'
import { useState } from 'react'
import { Stack } from '../layout.tsx'
import type { StoryInfo, Values } from '../story.ts'

export const about: StoryInfo = {
  group: 'Feedback',
  title: 'Alert',
  text: 'A message in the page: what happened, and what to do next. Errors interrupt screen readers, others wait.',
}

export const controls = {
  tone: ['info', 'success', 'warning', 'danger'],
  title: '',
  children: 'Payment still pending. Please complete the payment.',
  reference: '',
} as const

export function Playground(props: Values<typeof controls>) {
  return <Alert {...props} />
}

export function Tones() {
  return (
    <Stack>
      <Alert tone="danger" title="Payment failed">
        Payment failed or was cancelled. Please try again.
      </Alert>
      <Alert tone="success">Profile updated successfully!</Alert>
      <Alert tone="warning">Check your email for verification link</Alert>
      <Alert tone="info">Payment still pending. Please complete the payment.</Alert>
    </Stack>
  )
}

export function WithReference() {
  return (
    <Alert tone="danger" reference="5f0c2a52-6c1f-4f6e-9d3c-0a1b2c3d4e5f">
      The service is busy right now. Nothing was changed. Please try again in a moment.
    </Alert>
  )
}

export function WithAction() {
  return (
    <Alert tone="warning" actions={<Button size="sm">Resend the link</Button>}>
      Check your email for verification link
    </Alert>
  )
}

export function Dismissible() {
  const [dismissed, setDismissed] = useState(false)
  if (dismissed) return <Button onClick={() => setDismissed(false)}>Show the message</Button>
  return (
    <Alert tone="info" onDismiss={() => setDismissed(true)}>
      Your session ends in five minutes.
    </Alert>
  )
}
