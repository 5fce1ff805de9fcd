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

const BLANK = 'Please enter a certificate number.'
const INVALID = 'Please enter a valid certificate number.'

/**
 * Upper-cases what is typed, and normalises what is pasted or dropped: while typing, a blank at the end may be followed by more.
 * The caret stays where it is; React alone would send it to the end.
 */
function tidy(input: HTMLInputElement, { inputType }: { inputType?: string }) {
  const { selectionStart, value } = input
  const pasted = inputType === 'insertFromPaste' || inputType === 'insertFromDrop'
  const change = pasted ? normaliseCertificateNumber : upperCaseNumber
  const next = change(value)
  if (next === value) return
  // Counted from the end where text was removed: the text after the caret was not pasted.
  const behind = change(value.slice(selectionStart ?? value.length)).length
  input.value = next
  const caret = pasted ? Math.max(0, next.length - behind) : selectionStart
  input.setSelectionRange(caret, caret)
}

export interface InputStepProps {
  /** What is in the field. */
  value: string
  onType: (value: string) => void
  /** The number is complete and looks like one. */
  onSubmit: () => void
  busy?: boolean
  /** It was just said that this number does not do: no tick contradicts that, or a suggestion. */
  refused?: boolean
  /** The number that was probably meant, if the API sent one; else it follows from the shape of what was typed. */
  suggestion?: string | undefined
  /** The heading takes the focus: one came back here from another step. */
  focus?: boolean
  level: 2 | 3
  compact: boolean
  title: string
}

/** The number, what it costs and what one gets for it. */
export function InputStep(props: InputStepProps) {
  const { value, onType, onSubmit, busy = false, refused = false, focus = false, suggestion } = props
  const { level, compact, title } = props
  const [error, setError] = useState<string>()
  const field = useRef<HTMLInputElement>(null)
  const number = normaliseCertificateNumber(value)
  const blank = number === ''
  const looksRight = !blank && isCertificateNumber(number)
  const offered = useSuggestion(value)
  const meant = suggestion ?? offered

  function submit(event: FormEvent) {
    event.preventDefault()
    if (blank || busy) return
    if (looksRight) {
      onSubmit()
      return
    }
    setError(INVALID)
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
              {!meant && 'Enter it exactly as printed on the certificate.'}
              <Suggestion
                number={meant}
                onUse={number => {
                  setError(undefined)
                  onType(number)
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
            tidy(event.target, event.nativeEvent as InputEvent)
            onType(event.target.value)
          }}
          onKeyDown={event => {
            // The button below is off while there is no number; the key still gets an answer.
            if (event.key === 'Enter' && blank) setError(BLANK)
          }}
          trailing={
            looksRight && !refused && !meant ? (
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
