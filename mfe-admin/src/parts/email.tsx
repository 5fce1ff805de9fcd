import { NOTHING } from './told.tsx'

/** An address, or a word in place of one. Where it has no room it breaks before its `@` rather than anywhere. */
export function Email({ address }: { address: string | null | undefined }) {
  if (!address) return NOTHING
  const at = address.lastIndexOf('@')
  if (at < 1) return address
  return (
    <>
      {address.slice(0, at)}
      <wbr />
      {address.slice(at)}
    </>
  )
}
