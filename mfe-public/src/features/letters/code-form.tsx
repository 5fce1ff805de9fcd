import { useLocation, useNavigate } from '@portal/router'
import { paths } from '@portal/router/paths'
import { Button } from '@portal/ui/button'
import { FormActions } from '@portal/ui/form-layout'
import { TextInput } from '@portal/ui/text-input'
import { useRef, useState } from 'react'
import { parseLetterCode } from './code-input.ts'
import styles from './page.module.css'

/** Returns the input that is stored in the current entry of the browser's history. */
const readStoredInput = (state: unknown): string | undefined =>
  typeof state === 'object' && state !== null && 'typed' in state && typeof state.typed === 'string'
    ? state.typed
    : undefined

/** Form for a letter code; `initial` prefills the field for correction. The server ignores dashes, spaces and case. */
export function CodeForm({ initial = '' }: { initial?: string }) {
  const navigate = useNavigate()
  const { pathname, state } = useLocation()
  const [typed, setTyped] = useState(() => readStoredInput(state) ?? initial)
  const [error, setError] = useState<string>()
  const input = useRef<HTMLInputElement>(null)
  return (
    <form
      noValidate
      className={styles.form}
      onSubmit={event => {
        event.preventDefault()
        const { code, problem } = parseLetterCode(typed)
        if (problem === undefined) {
          // The Back button restores the code from this history entry.
          void navigate(pathname, { replace: true, state: { typed } })
          void navigate(paths.letter(code))
          return
        }
        setError(problem)
        input.current?.focus()
      }}
    >
      <TextInput
        ref={input}
        label="Letter code"
        help="Dashes, spaces and lower case do not matter."
        mono
        upper
        large
        autoComplete="off"
        autoCapitalize="characters"
        spellCheck={false}
        maxLength={100}
        placeholder="ABCD-EFGH-JKMN"
        value={typed}
        error={error}
        onChange={event => {
          setTyped(event.target.value)
          setError(undefined)
        }}
      />
      <FormActions>
        <Button type="submit" variant="primary" size="lg">
          Check Letter
        </Button>
      </FormActions>
    </form>
  )
}
