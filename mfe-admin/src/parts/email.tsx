import { EMPTY_VALUE } from './nothing.ts'

/** An email address that can wrap before its `@` and has its own text direction; a placeholder if there is no address. */
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
