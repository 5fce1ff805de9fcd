import type { OwnOrganisation } from '@portal/contract/organisation-shapes'
import { formatLongDate } from '@portal/format/dates'
import { organisationDisplay, vettedDisplay } from '@portal/format/organisations'
import { may } from '@portal/rules/organisations'
import { Status } from '@portal/ui/badge'
import { Button } from '@portal/ui/button'
import { DefinitionList } from '@portal/ui/definition-list'
import { Panel } from '@portal/ui/panel'
import { Skeleton } from '@portal/ui/skeleton'
import { useState } from 'react'
import { Activity } from './activity.tsx'
import { AlertForm } from './alert-form.tsx'
import { CloseDialog } from './close-dialog.tsx'
import { OrganisationFrame } from './frame.tsx'
import styles from './organisations.module.css'
import { ProfileForm } from './profile-form.tsx'

/** Settings page: profile, low-balance alert, activity and closing. Finance members see only the alert. */
export default function OrganisationSettings() {
  return (
    <OrganisationFrame
      section="settings"
      title="Organisation Settings"
      requires="billing"
      loading={<Loading />}
    >
      {organisation => (
        <>
          {may(organisation.role, 'manage') && (
            <Panel title="Profile" className={styles.form}>
              <div className={styles.facts}>
                <DefinitionList
                  items={[
                    {
                      term: 'Status',
                      value: <Status status={organisationDisplay(organisation.state)} variant="plain" />,
                    },
                    {
                      term: 'Vetting',
                      value: (
                        <>
                          <Status status={vettedDisplay(organisation.vetted_at)} variant="plain" />{' '}
                          {organisation.vetted_at && (
                            <span className={styles.since}>on {formatLongDate(organisation.vetted_at)}</span>
                          )}
                        </>
                      ),
                    },
                  ]}
                />
                {/* The key resets the forms when another organisation is shown. */}
                <ProfileForm key={organisation.id} organisation={organisation} />
              </div>
            </Panel>
          )}
          <Panel
            title="Low-balance alert"
            className={styles.form}
            description="Owners, managers and finance members get an email when the available balance falls below this amount."
          >
            <AlertForm key={organisation.id} organisation={organisation} />
          </Panel>
          {may(organisation.role, 'manage') && <Activity organisationId={organisation.id} />}
          {may(organisation.role, 'own') && organisation.state !== 'closed' && (
            <CloseOrganisation organisation={organisation} />
          )}
        </>
      )}
    </OrganisationFrame>
  )
}

const Loading = () => (
  <>
    <Panel title="Profile" className={styles.form}>
      <Skeleton size="field" lines={4} />
    </Panel>
    <Panel title="Low-balance alert" className={styles.form}>
      <Skeleton size="field" />
    </Panel>
  </>
)

function CloseOrganisation({ organisation }: { organisation: OwnOrganisation }) {
  const [closing, setClosing] = useState(false)
  const { balance, held, debt } = organisation
  const hasMoney = balance !== 0 || held !== 0 || debt !== 0
  return (
    <Panel title="Close the organisation" className={styles.form}>
      <div className={styles.facts}>
        <p className={styles.muted}>
          Members can still read its records and letters. Invitations are revoked, and only the institution
          can reopen it. The balance must be 0, and no batch or top-up may be open.
        </p>
        <div>
          <Button
            variant="danger"
            disabledReason={hasMoney ? 'Please use the balance or have it paid out first.' : undefined}
            onClick={() => setClosing(true)}
          >
            Close Organisation
          </Button>
        </div>
        {hasMoney && <p className={styles.muted}>Please use the balance or have it paid out first.</p>}
      </div>
      {closing && <CloseDialog organisation={organisation} onClose={() => setClosing(false)} />}
    </Panel>
  )
}
