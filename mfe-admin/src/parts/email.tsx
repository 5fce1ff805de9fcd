import { NOTHING } from './nothing.ts'

/** Shows an email address that wraps before its `@`, or a placeholder. Its text direction is isolated from its surroundings. */
export function Email({ address }: { address: string | null | undefined }) {
  if (!address) return NOTHING
  const at = address.lastIndexOf('@')
  if (at < 1) return <bdi>{address}</bdi>
  return (
    <bdi>
      {address.slice(0, at)}
      <wbr />
      {address.slice(at)}
    </bdi>
  )
}
