import { ListScreen } from '@portal/account-ui/list-screen'
import { download } from '@portal/api/call'
import { q } from '@portal/api/query'
import type { OwnOrganisation } from '@portal/contract/organisation-shapes'
import { formatMoney } from '@portal/format/money'
import { formatMonth } from '@portal/format/organisations'
import { Link, useParams } from '@portal/router'
import { Alert } from '@portal/ui/alert'
import { Button } from '@portal/ui/button'
import { EmptyState } from '@portal/ui/empty-state'
import { Stat, StatGroup } from '@portal/ui/stat'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { FileDown, Sheet } from 'lucide-react'
import { organisationPath } from '../../parts/organisation-paths.ts'
import { billing } from '../../parts/organisation-work-endpoints.ts'
import { OrganisationFrame } from './frame.tsx'
import { MovementTable } from './movement-table.tsx'
import styles from './organisations.module.css'
import { useDownload } from './use-download.ts'
import { usePage } from './use-page.ts'

/** Page of a monthly statement. */
export default function StatementPage() {
  const { month = '' } = useParams()
  return (
    <OrganisationFrame section="billing" title={`Statement for ${formatMonth(month)}`} requires="billing">
      {organisation => <Statement organisation={organisation} month={month} />}
    </OrganisationFrame>
  )
}

function Statement({ organisation, month }: { organisation: OwnOrganisation; month: string }) {
  const { id, currency } = organisation
  const params = { id, month }
  const { page, onPage } = usePage()
  const list = useQuery({
    ...q(billing.statement, { params, query: { page, per_page: 50 } }),
    placeholderData: keepPreviousData,
  })
  const file = useDownload(
    (kind: 'pdf' | 'csv') =>
      kind === 'pdf'
        ? download(billing.statementPdf, { params, headers: { accept: 'application/pdf' } })
        : download(billing.statement, { params, headers: { accept: 'text/csv' } }),
    kind => `statement_${month}.${kind}`,
  )
  const statement = list.data?.statement
  const formatAmount = (amount: number | undefined) =>
    amount === undefined ? '–' : formatMoney(amount, currency)
  return (
    <>
      <p className={styles.back}>
        <Link to={organisationPath(id, 'billing')}>All statements</Link>
      </p>
      {statement && !statement.final && (
        <Alert tone="info" silent>
          This month has not ended, so the statement is not final.
        </Alert>
      )}
      {!(list.isError && !list.data) && (
        <StatGroup label="Statement">
          <Stat label="Opening balance" value={formatAmount(statement?.opening)} loading={list.isPending} />
          <Stat label="Credits" value={formatAmount(statement?.credits)} loading={list.isPending} />
          <Stat label="Debits" value={formatAmount(statement?.debits)} loading={list.isPending} />
          <Stat label="Closing balance" value={formatAmount(statement?.closing)} loading={list.isPending} />
        </StatGroup>
      )}
      <div className={styles.actions}>
        {(['pdf', 'csv'] as const).map(kind => (
          <Button
            key={kind}
            icon={kind === 'pdf' ? FileDown : Sheet}
            busy={file.busyKey === kind}
            busyLabel="Preparing…"
            onClick={() => file.start(kind)}
          >
            Download {kind.toUpperCase()}
          </Button>
        ))}
      </div>
      <ListScreen query={list} name="the statement" page={page} onPage={onPage} noun="line">
        {loading => (
          <MovementTable
            caption="Lines"
            currency={currency}
            rows={list.data?.lines}
            loading={loading}
            empty={<EmptyState title="No movements this month" />}
          />
        )}
      </ListScreen>
    </>
  )
}
