import { OneLine } from '@portal/ui/table'
import { NOTHING } from './optional-values.tsx'

/**
 * Shows an email address that wraps before its `@`, or a placeholder; in the columns of a table on one line. Its text
 * direction is isolated from its surroundings.
 */
export function Email({ address }: { address: string | null | undefined }) {
  if (!address) return NOTHING
  const at = Math.max(address.lastIndexOf('@'), 0)
  return (
    <OneLine text={address} anywhere>
      <bdi>
        {address.slice(0, at)}
        {at > 0 && <wbr />}
        {address.slice(at)}
      </bdi>
    </OneLine>
  )
}
