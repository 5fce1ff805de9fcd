import type { OwnOrganisation } from '@portal/contract/organisation-shapes'
import { parseAmount } from '@portal/format/amount'
import { Alert } from '@portal/ui/alert'
import { Button } from '@portal/ui/button'
import { Dialog } from '@portal/ui/dialog'
import { FormLayout } from '@portal/ui/form-layout'
import { TextInput } from '@portal/ui/text-input'
import { ExternalLink } from 'lucide-react'
import { type SubmitEvent, useId, useRef, useState } from 'react'
import type { TopupState } from './use-topup.ts'

/** The limits of a top-up, in naira. Importing the contract's constants would load its schemas. */
const [MIN_AMOUNT, MAX_AMOUNT] = [1000, 10_000_000]
export const AMOUNT_OUT_OF_RANGE = 'Please enter an amount between 1,000.00 and 10,000,000.00.'

/** Parses the amount of a top-up or invoice; undefined if it is outside the limits. */
export function parseTopupAmount(text: string): number | undefined {
  const amount = parseAmount(text)
  return amount !== undefined && amount >= MIN_AMOUNT && amount <= MAX_AMOUNT ? amount : undefined
}

interface Props {
  organisation: OwnOrganisation
  state: TopupState
  onClose: () => void
}

/** Dialog that asks for the amount, and opens the payment window on submit. */
export function TopupDialog({ organisation, state, onClose }: Props) {
  const formId = useId()
  const field = useRef<HTMLInputElement>(null)
  const [text, setText] = useState('')
  const [invalid, setInvalid] = useState<string>()
  const start = (pay: (amount: number) => void) => {
    const amount = parseTopupAmount(text)
    if (amount !== undefined) return pay(amount)
    setInvalid(AMOUNT_OUT_OF_RANGE)
    field.current?.focus()
  }
  return (
    <Dialog
      open
      onClose={onClose}
      closable={!state.busy}
      title="Top Up"
      description={`The amount is added to the balance of ${organisation.name} as soon as the payment is confirmed.`}
      footer={
        <>
          <Button onClick={onClose} disabled={state.busy}>
            Cancel
          </Button>
          {state.canPayInThisTab && (
            <Button disabled={state.busy} onClick={() => start(state.payHere)}>
              Continue in this tab
            </Button>
          )}
          <Button
            variant="primary"
            type="submit"
            form={formId}
            icon={ExternalLink}
            busy={state.busy}
            busyLabel="Opening…"
          >
            Continue to Payment
          </Button>
        </>
      }
    >
      <form
        id={formId}
        noValidate
        onSubmit={(event: SubmitEvent) => {
          event.preventDefault()
          start(state.pay)
        }}
      >
        <FormLayout>
          <TextInput
            ref={field}
            label="Amount in naira"
            numeric
            large
            inputMode="decimal"
            autoComplete="off"
            maxLength={20}
            value={text}
            error={invalid}
            help="Between 1,000.00 and 10,000,000.00."
            onChange={event => {
              setText(event.target.value)
              setInvalid(undefined)
            }}
          />
          {state.problem && <Alert tone="danger">{state.problem}</Alert>}
        </FormLayout>
      </form>
    </Dialog>
  )
}
