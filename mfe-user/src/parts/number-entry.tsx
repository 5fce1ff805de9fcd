import { counted } from '@portal/format/counted'
import { formatCount } from '@portal/format/numbers'
import { Alert } from '@portal/ui/alert'
import { Button } from '@portal/ui/button'
import { Panel } from '@portal/ui/panel'
import { TextArea } from '@portal/ui/text-area'
import { FileUp, type LucideIcon } from 'lucide-react'
import { type DragEvent, type ReactNode, useRef, useState } from 'react'
import styles from './number-entry.module.css'
import { MAX_NUMBERS, parseNumbers } from './numbers.ts'

interface Props {
  text: string
  busy: boolean
  /** Maximum number of certificates. */
  maxNumbers?: number
  /** The text and icon of the button. */
  action: { label: string; busyLabel: string; icon: LucideIcon }
  /** The reason why the form cannot be submitted now. */
  disabledReason?: string | undefined
  onText: (text: string) => void
  onSubmit: (numbers: string[]) => void
  /** Content between the numbers and the button. */
  children?: ReactNode
}

/** Field for certificate numbers, which can be typed, pasted, or loaded from a CSV file. */
export function NumberEntry(props: Props) {
  const { text, busy, maxNumbers = MAX_NUMBERS, action, disabledReason, onText, onSubmit, children } = props
  const fileInput = useRef<HTMLInputElement>(null)
  const [isDragOver, setDragOver] = useState(false)
  const [note, setNote] = useState<{ tone: 'info' | 'danger'; text: string } | null>(null)
  const numbers = parseNumbers(text)
  const tooMany = numbers.length > maxNumbers
  const count = `${formatCount(numbers.length)} of ${formatCount(maxNumbers)} numbers`

  async function readFile(chosen: File | undefined) {
    if (!chosen) return
    try {
      const { readNumbersOfCsv } = await import('./read-csv.ts')
      const found = readNumbersOfCsv(new Uint8Array(await chosen.arrayBuffer()))
      if (found.length === 0) {
        setNote({ tone: 'danger', text: `${chosen.name} has no column with certificate numbers.` })
        return
      }
      onText(found.join('\n'))
      setNote({ tone: 'info', text: `${counted(found.length, 'number')} read from ${chosen.name}.` })
    } catch {
      setNote({ tone: 'danger', text: `${chosen.name} could not be read.` })
    }
  }

  const handleDrag = (event: DragEvent, isInside: boolean) => {
    if (!event.dataTransfer.types.includes('Files')) return
    event.preventDefault()
    setDragOver(isInside)
  }

  return (
    <Panel>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: dropping a file is a shortcut; the button does the same */}
      <div
        className={styles.entry}
        data-over={isDragOver || undefined}
        onDragOver={event => handleDrag(event, true)}
        onDragLeave={event => handleDrag(event, false)}
        onDrop={event => {
          handleDrag(event, false)
          void readFile(event.dataTransfer.files[0])
        }}
      >
        <TextArea
          label="Certificate numbers"
          className={styles.numbers}
          rows={8}
          spellCheck={false}
          autoCapitalize="characters"
          autoComplete="off"
          value={text}
          onChange={event => onText(event.target.value)}
          error={
            tooMany
              ? `Please enter at most ${formatCount(maxNumbers)} certificate numbers at a time.`
              : undefined
          }
          help={`One per line or separated by commas, exactly as printed. Or drop a CSV file here. ${count}.`}
        />
        {note && (
          <Alert tone={note.tone} onDismiss={() => setNote(null)}>
            {note.text}
          </Alert>
        )}
        {children}
        <div className={styles.actions}>
          <Button
            variant="primary"
            size="lg"
            icon={action.icon}
            busy={busy}
            busyLabel={action.busyLabel}
            disabledReason={
              disabledReason ?? (numbers.length === 0 ? 'Please enter a certificate number.' : undefined)
            }
            onClick={() => {
              if (numbers.length > 0 && !tooMany) onSubmit(numbers)
            }}
          >
            {action.label}
          </Button>
          <Button size="lg" icon={FileUp} onClick={() => fileInput.current?.click()}>
            Choose a CSV file
          </Button>
          <input
            ref={fileInput}
            type="file"
            accept=".csv,.txt,text/csv,text/plain"
            aria-label="CSV file"
            hidden
            onChange={event => {
              void readFile(event.target.files?.[0])
              // The input is reset, so that choosing the same file again counts as a change: the file may have been corrected.
              event.target.value = ''
            }}
          />
        </div>
      </div>
    </Panel>
  )
}
