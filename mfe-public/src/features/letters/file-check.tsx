import { call } from '@portal/api/call'
import type { FileCheck as Check } from '@portal/contract/letter-files'
import { groupLetterCode } from '@portal/letter/code'
import { Link } from '@portal/router'
import { paths } from '@portal/router/paths'
import { Alert } from '@portal/ui/alert'
import { Icon } from '@portal/ui/icon'
import { Spinner } from '@portal/ui/spinner'
import { FileCheck2 } from 'lucide-react'
import { type DragEvent, useEffect, useId, useRef, useState } from 'react'
import { checkFile } from '../../parts/endpoints.ts'
import { toErrorText } from '../../parts/failure.ts'
import { getFileProblem, toVerdict } from './file-result.ts'
import styles from './page.module.css'

type State =
  | { step: 'idle' }
  | { step: 'checking'; name: string }
  | { step: 'failed'; name: string; text: string }
  | { step: 'done'; name: string; check: Check }

const holdsFiles = (event: { dataTransfer: DataTransfer | null }) =>
  event.dataTransfer?.types.includes('Files') ?? false

/** Prevents the browser from opening a file that is dropped next to the field, which would replace the page. */
function usePreventPageDrop() {
  useEffect(() => {
    const controller = new AbortController()
    const preventFileDrop = (event: globalThis.DragEvent) => {
      if (holdsFiles(event)) event.preventDefault()
    }
    window.addEventListener('dragover', preventFileDrop, { signal: controller.signal })
    window.addEventListener('drop', preventFileDrop, { signal: controller.signal })
    return () => controller.abort()
  }, [])
}

/**
 * Accepts the file of a letter, dropped or chosen, and shows whether it is unchanged since it was signed.
 * @param expected code of the letter that the file should contain
 */
export function FileCheck({ expected }: { expected?: string }) {
  const id = useId()
  const [state, setState] = useState<State>({ step: 'idle' })
  const [isDragOver, setDragOver] = useState(false)
  const latest = useRef(0)
  usePreventPageDrop()

  async function submitFile(file: File | undefined) {
    if (!file) return
    latest.current += 1
    const request = latest.current
    const { name } = file
    const show = (next: State) => {
      // A late response about an earlier file must not be shown for the current one.
      if (request === latest.current) setState(next)
    }
    const problem = getFileProblem(file)
    if (problem) {
      show({ step: 'failed', name, text: problem })
      return
    }
    show({ step: 'checking', name })
    const body = new FormData()
    body.append('file', file)
    try {
      show({ step: 'done', name, check: await call(checkFile, { body }) })
    } catch (error) {
      show({ step: 'failed', name, text: toErrorText(error) })
    }
  }

  const handleDrag = (event: DragEvent, isInside: boolean) => {
    if (!holdsFiles(event)) return
    event.preventDefault()
    setDragOver(isInside)
  }

  return (
    <div>
      <input
        id={id}
        type="file"
        className={styles.chooser}
        accept=".pdf,.jwt,.txt,application/pdf,application/vc+jwt,text/plain"
        onChange={event => {
          void submitFile(event.target.files?.[0])
          // The input is reset, so that choosing the same file again counts as a change.
          event.target.value = ''
        }}
      />
      <label
        htmlFor={id}
        className={styles.drop}
        data-over={isDragOver || undefined}
        onDragOver={event => handleDrag(event, true)}
        onDragLeave={event => handleDrag(event, false)}
        onDrop={event => {
          handleDrag(event, false)
          void submitFile(event.dataTransfer.files[0])
        }}
      >
        <Icon icon={FileCheck2} size={28} />
        <span>
          <span className={styles.choose}>Choose a file</span> or drop it here
        </span>
        <span className={styles.fine}>
          The PDF, the credential or the Open Badge (.jwt). At most 5 MB; it is not kept.
        </span>
      </label>
      <div aria-live="polite" className={styles.outcome}>
        <Result state={state} expected={expected} />
      </div>
    </div>
  )
}

function Result({ state, expected }: { state: State; expected: string | undefined }) {
  if (state.step === 'idle') return null
  if (state.step === 'checking') return <Spinner label={`Checking ${state.name}…`} />
  if (state.step === 'failed')
    return (
      <Alert tone="danger" title={`${state.name} could not be checked`} silent>
        {state.text}
      </Alert>
    )
  const { check, name } = state
  const { tone, title, text } = toVerdict(check, expected)
  const { letter } = check
  return (
    <Alert tone={tone} title={title} silent>
      <p className={styles.fileName}>{name}</p>
      <p>{text}</p>
      {letter && letter.code !== expected && (
        <p>
          <Link to={paths.letter(letter.code)}>Go to letter {groupLetterCode(letter.code)}</Link>, to see what
          it says.
        </p>
      )}
    </Alert>
  )
}
