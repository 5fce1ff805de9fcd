import { OneLine } from '@portal/ui/one-line'
import { Email } from './email.tsx'

/** An email address in a table; in a column it stays on one line. */
export function ListedEmail({ address }: { address: string | null | undefined }) {
  return (
    <OneLine text={address ?? ''} anywhere>
      <Email address={address} />
    </OneLine>
  )
}
