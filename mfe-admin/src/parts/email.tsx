import { Fragment } from 'react'
import { EMPTY_VALUE } from './empty-value.ts'

/**
 * Shows an email address that can wrap before its `@` and between the parts of its name, and has its own text direction;
 * without an address, a placeholder.
 */
export function Email({ address }: { address: string | null | undefined }) {
  if (!address) return EMPTY_VALUE
  const parts = address.split(/(?=@[^@]*$)|(?<=[._+-])(?=.*@)/)
  return (
    <bdi>
      {parts.map((part, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: parts may repeat, and never move
        <Fragment key={index}>
          {index > 0 && <wbr />}
          {part}
        </Fragment>
      ))}
    </bdi>
  )
}
