import { isCertificateNumber } from '@portal/contract/certificate-number'
import { Button } from '@portal/ui/button'
import { Icon } from '@portal/ui/icon'
import { TextInput } from '@portal/ui/text-input'
import { Check } from 'lucide-react'
import { type FormEvent, useRef, useState } from 'react'
import { Fee } from './fee.tsx'
import { StepHeading } from './step-heading.tsx'
import type { VerifyFlow } from './use-verify-flow.ts'
import styles from './verify-widget.module.css'

const info = [
  { term: 'Verification fee', value: <Fee /> },
  { term: 'Processing time', value: 'Instant' },
  { term: 'Payment method', value: 'Card' },
  { term: 'Official letter', value: 'Printable PDF' },
]

const INVALID = 'Please enter a valid certificate number.'

/** Upper-cases what is in the field and leaves the caret where it is; React alone would send it to the end. */
function upperCase(input: HTMLInputElement) {
  const { selectionStart, selectionEnd, value } = input
  const upper = value.toUpperCase()
  if (upper === value) return
  input.value = upper
  input.setSelectionRange(selectionStart, selectionEnd)
}

/** The number, what it costs and what one gets for it. */
export function InputStep({
  journey,
  level,
  compact,
  title,
}: {
  journey: VerifyFlow
  level: 2 | 3
  compact: boolean
  title: string
}) {
  const { state, dispatch, submitNumber, moved } = journey
  const [error, setError] = useState<string>()
  const field = useRef<HTMLInputElement>(null)
  const number = state.number.trim()
  const blank = number === ''
  const looksRight = !blank && isCertificateNumber(number)

  function submit(event: FormEvent) {
    event.preventDefault()
    if (blank || state.busy) return
    if (looksRight) {
      submitNumber()
      return
    }
    setError(INVALID)
    field.current?.focus()
  }

  return (
    <div className={compact ? styles.stack : styles.columns}>
      <form className={styles.stack} onSubmit={submit} noValidate>
        <StepHeading level={level} focus={moved}>
          {title}
        </StepHeading>
        <TextInput
          ref={field}
          label="Certificate number"
          name="certificate_number"
          help="Enter it exactly as printed on the certificate."
          placeholder="UG/2019/12345"
          error={error}
          mono
          upper
          large
          autoComplete="off"
          autoCapitalize="characters"
          autoCorrect="off"
          spellCheck={false}
          maxLength={100}
          enterKeyHint="go"
          value={state.number}
          onChange={event => {
            setError(undefined)
            upperCase(event.target)
            dispatch({ type: 'typed', value: event.target.value })
          }}
          trailing={
            looksRight ? (
              <span className={styles.tick}>
                <Icon icon={Check} size={20} label="Looks like a certificate number" />
              </span>
            ) : undefined
          }
        />
        <Button
          type="submit"
          variant="primary"
          size="lg"
          block
          busy={state.busy === 'checking'}
          busyLabel="Checking…"
          disabled={blank}
          disabledReason={blank ? 'Enter a certificate number first.' : undefined}
        >
          Verify Certificate
        </Button>
      </form>
      <dl className={styles.info} aria-label="What it costs and what you get">
        {info.map(item => (
          <div key={item.term} className={styles.infoRow}>
            <dt>{item.term}</dt>
            <dd>{item.value}</dd>
          </div>
        ))}
      </dl>
    </div>
  )
}
