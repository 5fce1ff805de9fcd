import { LinkButton } from '@portal/account-ui/link-button'
import { LoadFailure } from '@portal/account-ui/load-failure'
import { q } from '@portal/api/query'
import { useSettings } from '@portal/api/settings'
import type { OwnOrganisation } from '@portal/contract/organisation-shapes'
import { formatMoney } from '@portal/format/money'
import { formatCount } from '@portal/format/numbers'
import { Link } from '@portal/router'
import { may } from '@portal/rules/organisations'
import { Alert } from '@portal/ui/alert'
import { EmptyState } from '@portal/ui/empty-state'
import { Panel } from '@portal/ui/panel'
import { Skeleton } from '@portal/ui/skeleton'
import { Stat, StatGroup } from '@portal/ui/stat'
import { useQuery } from '@tanstack/react-query'
import { FileSearch, Wallet } from 'lucide-react'
import { organisationPath } from '../../parts/organisation-paths.ts'
import { verifications } from '../../parts/organisation-work-endpoints.ts'
import { OrganisationFrame } from './frame.tsx'
import styles from './organisations.module.css'
import { RunningBatches } from './running-batches.tsx'
import { VerificationTable } from './verification-table.tsx'
import { VerifyField } from './verify-field.tsx'

/** Home page of an organisation: its balance, the verification field, and its latest verifications. */
export default function OrganisationHome() {
  return (
    <OrganisationFrame section="" title="Organisation" loading={<Loading />}>
      {(organisation, statistics) =>
        may(organisation.role, 'verify') ? (
          <>
            <div className={styles.home}>
              <VerifyPanel organisation={organisation} />
              <Balance organisation={organisation} />
            </div>
            <RunningBatches organisation={organisation} />
            <LatestVerifications organisation={organisation} />
            <StatGroup label="Verifications of the organisation">
              <Stat label="Verifications" value={formatCount(statistics.total)} />
              <Stat label="Found" value={formatCount(statistics.verified)} />
              <Stat label="Not found" value={formatCount(statistics.not_found)} />
              <Stat label="Spent" value={formatMoney(statistics.spent, organisation.currency)} />
            </StatGroup>
          </>
        ) : (
          <>
            <Balance organisation={organisation} />
            <p className={styles.muted}>
              As a finance member, you can top up the balance and see its statements. Certificates, names and
              grades are visible only to members who verify.
            </p>
          </>
        )
      }
    </OrganisationFrame>
  )
}

const Loading = () => (
  <>
    <div className={styles.home}>
      <Panel title="Verify Certificate">
        <Skeleton size="field" />
      </Panel>
      <Panel title="Available balance">
        <Skeleton size="figure" width="medium" />
      </Panel>
    </div>
    <Panel title="Latest verifications" variant="plain">
      <VerificationTable organisationId="" rows={[]} loading empty={null} />
    </Panel>
  </>
)

function VerifyPanel({ organisation }: { organisation: OwnOrganisation }) {
  const settings = useSettings().data
  const { available, currency, role, id } = organisation
  const fee = settings?.verification_fee
  const isBalanceTooLow = fee !== undefined && available < fee
  return (
    <Panel
      title="Verify Certificate"
      description={
        fee === undefined
          ? undefined
          : `${formatMoney(fee, currency)} from the balance. Certificates that the organisation has already paid for are free.`
      }
    >
      <div className={styles.facts}>
        {isBalanceTooLow && (
          <Alert
            tone="warning"
            silent
            actions={
              may(role, 'billing') && (
                <LinkButton size="sm" to={`${organisationPath(id, 'billing')}?dialog=topup`}>
                  Top Up
                </LinkButton>
              )
            }
          >
            Your balance does not cover a verification. Top up to continue.
          </Alert>
        )}
        <VerifyField organisation={organisation} />
      </div>
    </Panel>
  )
}

function Balance({ organisation }: { organisation: OwnOrganisation }) {
  const { available, held, currency, role, id } = organisation
  return (
    <Panel title="Available balance">
      <div className={styles.balance}>
        <p className={styles.amount}>{formatMoney(available, currency)}</p>
        {held > 0 && (
          <p className={styles.muted}>{formatMoney(held, currency)} is held for running batches.</p>
        )}
        {may(role, 'billing') ? (
          <div className={styles.actions}>
            <LinkButton icon={Wallet} to={`${organisationPath(id, 'billing')}?dialog=topup`}>
              Top Up
            </LinkButton>
          </div>
        ) : (
          <p className={styles.muted}>Owners, managers and finance members can top it up.</p>
        )}
      </div>
    </Panel>
  )
}

const LIST_LENGTH = 10

function LatestVerifications({ organisation }: { organisation: OwnOrganisation }) {
  const { id } = organisation
  const list = useQuery(q(verifications.list, { params: { id }, query: { per_page: LIST_LENGTH } }))
  const { data } = list
  return (
    <Panel
      title="Latest verifications"
      variant="plain"
      action={
        data && data.pagination.total > LIST_LENGTH ? (
          <Link to={organisationPath(id, 'history')}>All verifications</Link>
        ) : undefined
      }
    >
      {list.isError && !data ? (
        <LoadFailure title="The verifications could not be loaded" query={list} />
      ) : (
        <VerificationTable
          organisationId={id}
          rows={data?.verifications}
          loading={list.isPending}
          empty={
            <EmptyState title="No verifications yet." icon={FileSearch}>
              Enter a certificate number above. All members who can verify see the result and its letter.
            </EmptyState>
          }
        />
      )}
    </Panel>
  )
}
