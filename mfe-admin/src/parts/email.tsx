import { EMPTY_VALUE } from './nothing.ts'

/** Shows an email address that can wrap before its `@` and has its own text direction; without an address, a placeholder. */
export function Email({ address }: { address: string | null | undefined }) {
  if (!address) return EMPTY_VALUE
  const atSign = address.lastIndexOf('@')
  if (atSign < 1) return <bdi>{address}</bdi>
  return (
    <bdi>
      {address.slice(0, atSign)}
      <wbr />
      {address.slice(atSign)}
    </bdi>
  )
}
