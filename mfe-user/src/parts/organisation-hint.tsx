import { q } from '@portal/api/query'
import { Link } from '@portal/router'
import { useQuery } from '@tanstack/react-query'
import { areas } from './organisation-endpoints.ts'
import { organisationsPath } from './organisation-paths.ts'

/**
 * Links from a personal verification to the account's organisations or invitations or, if the institution allows it, to the
 * page that creates an organisation. This component is part of the first load, so it has no styles or components of its own.
 */
export function OrganisationHint({ className }: { className: string | undefined }) {
  const { data } = useQuery(q(areas.read))
  const label = data?.organisations.length
    ? 'Go to your organisation'
    : data?.invitations.length
      ? 'See your invitation'
      : data?.offers.organisations && 'Create an organisation'
  if (!label) return null
  return (
    <p className={className}>
      Verifying for an employer or institution? <Link to={organisationsPath}>{label}</Link>
    </p>
  )
}
