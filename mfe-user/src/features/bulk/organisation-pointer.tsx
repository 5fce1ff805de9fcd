import { q } from '@portal/api/query'
import { Link } from '@portal/router'
import { may } from '@portal/rules/organisations'
import { useQuery } from '@tanstack/react-query'
import { areas } from '../../parts/organisation-endpoints.ts'
import { organisationPath, organisationsPath } from '../../parts/organisation-paths.ts'
import styles from './page.module.css'

/** Links from the personal list to the batches of an organisation, for users who can start one. */
export function OrganisationPointer() {
  const organisations = useQuery(q(areas.read)).data?.organisations.filter(({ role }) => may(role, 'verify'))
  const [first, second] = organisations ?? []
  if (!first) return null
  return (
    <p className={styles.lead}>
      Verifying for {second ? 'an organisation' : first.name}?{' '}
      <Link to={second ? organisationsPath : organisationPath(first.id, 'batches')}>
        Pay from its prepaid balance with a batch
      </Link>
    </p>
  )
}
