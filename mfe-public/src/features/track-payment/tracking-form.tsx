import { groupTransactionId } from '@portal/format/transaction-id'
import { Button } from '@portal/ui/button'
import { FormLayout } from '@portal/ui/form-layout'
import { TextInput } from '@portal/ui/text-input'
import { useEffect, useRef } from 'react'
import styles from './page.module.css'

interface Props {
  value: string
  error: string | undefined
  onChange: (typed: string) => void
  onSubmit: () => void
}

/**
 * Field for the transaction ID. It removes characters that cannot be part of an ID, and shows the ID below in groups of four.
 */
export function TrackingForm({ value, error, onChange, onSubmit }: Props) {
  const input = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (error) input.current?.focus()
  }, [error])
  const groupedId = groupTransactionId(value)
  return (
    <form
      noValidate
      onSubmit={event => {
        event.preventDefault()
        onSubmit()
      }}
    >
      <FormLayout>
        <TextInput
          ref={input}
          label="Transaction ID"
          mono
          large
          placeholder="CVF…"
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          maxLength={80}
          value={value}
          error={error}
          help={
            groupedId ? (
              <>
                Read as <span className={styles.grouped}>{groupedId}</span>
              </>
            ) : (
              'It starts with CVF, e.g. CVF0-1234-5678-9ABC-DEFG-HJKM. It is shown while you pay and on the receipt.'
            )
          }
          onChange={event => onChange(event.target.value)}
          onKeyDown={event => {
            // Without an ID the button below is disabled, so Enter shows a message instead.
            if (event.key === 'Enter' && !value) onSubmit()
          }}
        />
        <Button
          type="submit"
          variant="primary"
          size="lg"
          block
          disabledReason={value ? undefined : 'Enter a transaction ID first.'}
        >
          Track Payment
        </Button>
      </FormLayout>
    </form>
  )
}
