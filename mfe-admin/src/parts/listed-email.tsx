import { OneLine } from '@portal/ui/one-line'
import { Email } from './email.tsx'

/** An email address in a table, cut off if its column is narrow. */
export function ListedEmail({ address }: { address: string | null | undefined }) {
  return (
    <OneLine text={address ?? ''} anywhere>
      <Email address={address} />
    </OneLine>
  )
}
