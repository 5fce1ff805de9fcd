import { q } from '@portal/api/query'
import { Link } from '@portal/router'
import { Button } from '@portal/ui/button'
import { DialogLoading } from '@portal/ui/dialog-loading'
import { Panel } from '@portal/ui/panel'
import { useQuery } from '@tanstack/react-query'
import { Building2 } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { areas } from '../../parts/organisation-endpoints.ts'
import { organisationsPath } from '../../parts/organisation-paths.ts'
import styles from './page.module.css'

const CreateOrganisation = lazy(() => import('../../parts/create-organisation.tsx'))
const TITLE = 'Create an Organisation'

/**
 * Offers to create an organisation if the institution allows it, and links to the account's organisations and
 * invitations.
 */
export function OrganisationOffer() {
  const [creating, setCreating] = useState(false)
  const { data } = useQuery(q(areas.read))
  if (!data?.offers.organisations) return null
  const { organisations, invitations } = data
  return (
    <Panel title="Organisation" className={`${styles.form} ${styles.after}`}>
      <section className={styles.choice} aria-labelledby="create-organisation">
        <div>
          <h3 id="create-organisation" className={styles.choiceTitle}>
            Verify as a team
          </h3>
          <p className={styles.choiceText}>
            Colleagues share one history and pay from one prepaid balance. Your personal verifications stay
            separate.
          </p>
          {(organisations.length > 0 || invitations.length > 0) && (
            <p className={styles.choiceText}>
              <Link to={organisationsPath}>
                {invitations.length > 0 ? 'See your invitations' : 'Go to your organisations'}
              </Link>
            </p>
          )}
        </div>
        <Button icon={Building2} onClick={() => setCreating(true)}>
          {TITLE}
        </Button>
      </section>
      {creating && (
        <Suspense fallback={<DialogLoading title={TITLE} onClose={() => setCreating(false)} />}>
          <CreateOrganisation onClose={() => setCreating(false)} />
        </Suspense>
      )}
    </Panel>
  )
}
