import {
  isCertificateNumber,
  normaliseCertificateNumber,
  upperCaseNumber,
} from '@portal/contract/certificate-number'
import { Button } from '@portal/ui/button'
import { Icon } from '@portal/ui/icon'
import { Suggestion } from '@portal/ui/suggestion'
import { TextInput } from '@portal/ui/text-input'
import { Check } from 'lucide-react'
import { type FormEvent, useRef, useState } from 'react'
import { Fee, PaymentMethods } from './fee.tsx'
import { StepHeading } from './step-heading.tsx'
import { useSuggestion } from './use-suggestion.ts'
import styles from './verify-widget.module.css'

const info = [
  { term: 'Verification fee', value: <Fee /> },
  { term: 'Processing time', value: 'Instant' },
  { term: 'Payment method', value: <PaymentMethods /> },
  { term: 'Official letter', value: 'Printable PDF' },
]

const NUMBER_MISSING = 'Please enter a certificate number.'
const NUMBER_INVALID = 'Please enter a valid certificate number.'

/**
 * Converts the input to uppercase, and normalises it if it was pasted or dropped. Typed input is not normalised, because the
 * user may go on typing after a space. Restores the position of the caret, which React would move to the end.
 */
function tidyInput(input: HTMLInputElement, { inputType }: { inputType?: string }) {
  const { selectionStart, value } = input
  const isPasted = inputType === 'insertFromPaste' || inputType === 'insertFromDrop'
  const transform = isPasted ? normaliseCertificateNumber : upperCaseNumber
  const next = transform(value)
  if (next === value) return
  // Counted from the end, because characters before the caret may have been removed.
  const afterCaret = transform(value.slice(selectionStart ?? value.length)).length
  input.value = next
  const caret = isPasted ? Math.max(0, next.length - afterCaret) : selectionStart
  input.setSelectionRange(caret, caret)
}

export interface InputStepProps {
  /** Current value of the field. */
  value: string
  onChange: (value: string) => void
  /** Called when a complete and plausible number has been submitted. */
  onSubmit: () => void
  busy?: boolean
  /** True if the number has just been rejected, so that no tick is shown. */
  isRefused?: boolean
  /** The number that the API suggests, which is shown instead of one derived from the input. */
  suggestion?: string | undefined
  /** True to focus the heading, after a return from another step. */
  focus?: boolean
  level: 2 | 3
  compact: boolean
  title: string
}

/** The input step, with the field for the number and the fee. */
export function InputStep(props: InputStepProps) {
  const { value, onChange, onSubmit, busy = false, isRefused = false, focus = false, suggestion } = props
  const { level, compact, title } = props
  const [error, setError] = useState<string>()
  const field = useRef<HTMLInputElement>(null)
  const number = normaliseCertificateNumber(value)
  const isBlank = number === ''
  const isPlausible = !isBlank && isCertificateNumber(number)
  const formatSuggestion = useSuggestion(value)
  const suggested = suggestion ?? formatSuggestion

  function submit(event: FormEvent) {
    event.preventDefault()
    if (isBlank || busy) return
    if (isPlausible) {
      onSubmit()
      return
    }
    setError(NUMBER_INVALID)
    field.current?.focus()
  }

  return (
    <div className={compact ? styles.stack : styles.columns}>
      <form className={styles.stack} onSubmit={submit} noValidate>
        <StepHeading level={level} focus={focus}>
          {title}
        </StepHeading>
        <TextInput
          ref={field}
          label="Certificate number"
          name="certificate_number"
          help={
            <>
              {!suggested && 'Enter it exactly as printed on the certificate.'}
              <Suggestion
                number={suggested}
                onUse={number => {
                  setError(undefined)
                  onChange(number)
                  field.current?.focus()
                }}
              />
            </>
          }
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
          value={value}
          onChange={event => {
            setError(undefined)
            tidyInput(event.target, event.nativeEvent as InputEvent)
            onChange(event.target.value)
          }}
          onKeyDown={event => {
            // The disabled button cannot submit, so show the error on Enter.
            if (event.key === 'Enter' && isBlank) setError(NUMBER_MISSING)
          }}
          trailing={
            isPlausible && !isRefused && !suggested ? (
              <span className={styles.tick}>
                <Icon icon={Check} size={20} label="Looks right" />
              </span>
            ) : undefined
          }
        />
        <Button
          type="submit"
          variant="primary"
          size="lg"
          block
          busy={busy}
          busyLabel="Checking…"
          disabled={isBlank}
          disabledReason={isBlank ? 'Enter a certificate number first.' : undefined}
        >
          Verify Certificate
        </Button>
      </form>
      <dl className={styles.info} aria-label="The fee and what it includes">
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
