import { Button, ButtonLink } from '@portal/ui/button'
import { Download, Pencil, Printer, Trash2 } from 'lucide-react'
import { Narrow, Row } from '../layout.tsx'
import type { StoryInfo, Values } from '../story.ts'

export const about: StoryInfo = {
  group: 'Actions',
  title: 'Button',
  text: 'An action. One primary action per page, secondary for the rest, quiet in tables and cards, danger for destructive actions.',
}

export const controls = {
  children: 'Verify Certificate',
  variant: ['primary', 'secondary', 'quiet', 'danger'],
  size: ['md', 'sm', 'lg'],
  busy: false,
  busyLabel: '',
  disabled: false,
  disabledReason: '',
  block: false,
} as const

export function Playground(props: Values<typeof controls>) {
  return <Button {...props} />
}

export function Variants() {
  return (
    <Row>
      <Button variant="primary">Verify Certificate</Button>
      <Button>Export CSV</Button>
      <Button variant="quiet">Edit</Button>
      <Button variant="danger">Delete</Button>
    </Row>
  )
}

export function Sizes() {
  return (
    <Row>
      <Button variant="primary" size="sm">
        Refresh
      </Button>
      <Button variant="primary">Login</Button>
      <Button variant="primary" size="lg">
        Proceed to Payment
      </Button>
    </Row>
  )
}

export function WithIcon() {
  return (
    <Row>
      <Button icon={Download}>Export CSV</Button>
      <Button variant="quiet" icon={Pencil}>
        Edit
      </Button>
      <Button variant="danger" icon={Trash2} size="sm">
        Delete
      </Button>
    </Row>
  )
}

export function Busy() {
  return (
    <Row>
      <Button variant="primary" busy busyLabel="Checking…">
        Verify
      </Button>
      <Button busy>Refresh</Button>
    </Row>
  )
}

export function Disabled() {
  return (
    <Row>
      <Button variant="primary" disabledReason="Enter a certificate number first">
        Verify Certificate
      </Button>
      <Button disabled>Previous</Button>
    </Row>
  )
}

export function FullWidth() {
  return (
    <Narrow>
      <Button variant="primary" size="lg" block>
        Login
      </Button>
    </Narrow>
  )
}

export function Link() {
  return (
    <ButtonLink href="#letter" icon={Printer}>
      Print Letter
    </ButtonLink>
  )
}
