import { useEffect, useRef } from 'react'
import { Alert } from './alert.tsx'
import styles from './form-error-summary.module.css'

export interface FormErrorSummaryProps {
  title?: string | undefined
  /** Errors of fields. `field` is the ID of the control, which the link of the error focuses. */
  errors: readonly { readonly field: string; readonly message: string }[]
  /** An error of the whole form, such as the server's message. */
  message?: string | undefined
  /** True to focus the summary when errors appear; leave it out if the first invalid field is focused instead. */
  focus?: boolean | undefined
}

/** Lists all errors of a long form, each with a link to its field. Renders nothing if there are none. */
export function FormErrorSummary({
  title = 'There is a problem',
  errors,
  message,
  focus = false,
}: FormErrorSummaryProps) {
  const box = useRef<HTMLDivElement>(null)
  const hasErrors = errors.length > 0 || Boolean(message)
  useEffect(() => {
    if (hasErrors && focus) box.current?.focus()
  }, [hasErrors, focus])
  if (!hasErrors) return null
  return (
    <div ref={box} tabIndex={-1}>
      <Alert tone="danger" title={title}>
        {message && <p>{message}</p>}
        {errors.length > 0 && (
          <ul className={styles.list}>
            {errors.map(error => (
              <li key={error.field}>
                <a
                  href={`#${error.field}`}
                  onClick={event => {
                    event.preventDefault()
                    document.getElementById(error.field)?.focus()
                  }}
                >
                  {error.message}
                </a>
              </li>
            ))}
          </ul>
        )}
      </Alert>
    </div>
  )
}
