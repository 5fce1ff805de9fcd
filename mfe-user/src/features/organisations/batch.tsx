import { ExportButton } from '@portal/account-ui/export-button'
import { ListScreen } from '@portal/account-ui/list-screen'
import { LoadFailure } from '@portal/account-ui/load-failure'
import { call, download } from '@portal/api/call'
import { isApiError, isClientError, messageOf } from '@portal/api/error'
import { q } from '@portal/api/query'
import type { Batch, BatchItemStatus } from '@portal/contract/organisation-batches'
import type { OwnOrganisation } from '@portal/contract/organisation-shapes'
import { counted } from '@portal/format/counted'
import { formatDateTime } from '@portal/format/dates'
import { formatMoney } from '@portal/format/money'
import { formatCount } from '@portal/format/numbers'
import { batchDisplay } from '@portal/format/organisations'
import { Link, useParams, useSearchParams } from '@portal/router'
import { Status } from '@portal/ui/badge'
import { Button } from '@portal/ui/button'
import { ConfirmDialog } from '@portal/ui/confirm-dialog'
import { DefinitionList } from '@portal/ui/definition-list'
import { EmptyState } from '@portal/ui/empty-state'
import { Panel } from '@portal/ui/panel'
import { Stat, StatGroup } from '@portal/ui/stat'
import { showToast } from '@portal/ui/toast-store'
import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query'
import { Ban, ListChecks } from 'lucide-react'
import { useEffect, useEffectEvent, useState } from 'react'
import { organisationPath } from '../../parts/organisation-paths.ts'
import { batches } from '../../parts/organisation-work-endpoints.ts'
import { useRefreshWork } from '../../parts/use-refresh-work.ts'
import { ZipButton } from '../../parts/zip-button.tsx'
import { BatchItems, itemStatuses } from './batch-items.tsx'
import { BatchProgress, POLL_MS } from './batch-progress.tsx'
import { inactiveReason, OrganisationFrame, panelLoading } from './frame.tsx'
import styles from './organisations.module.css'
import { usePage } from './use-page.ts'

/** Page of one batch with its progress, counts and numbers. */
export default function BatchPage() {
  return (
    <OrganisationFrame section="batches" title="Batch" requires="verify" loading={panelLoading}>
      {organisation => <LoadedBatch organisation={organisation} />}
    </OrganisationFrame>
  )
}

function LoadedBatch({ organisation }: { organisation: OwnOrganisation }) {
  const { bat = '' } = useParams()
  const refresh = useRefreshWork()
  const query = useQuery({
    ...q(batches.read, { params: { id: organisation.id, bat } }),
    staleTime: 0,
    refetchInterval: ({ state: { data, error } }) =>
      data?.batch.status === 'processing' || (error && !isClientError(error)) ? POLL_MS : false,
  })
  const batch = query.data?.batch
  const isRunning = batch?.status === 'processing'
  // When a batch ends, the balance and the history change, so they are refetched.
  const onEnd = useEffectEvent(() => void refresh())
  useEffect(() => {
    if (!isRunning) return
    return () => onEnd()
  }, [isRunning])
  if (isApiError(query.error) && query.error.status === 404)
    return (
      <EmptyState
        title="Batch not found."
        icon={ListChecks}
        action={<Link to={organisationPath(organisation.id, 'batches')}>All batches</Link>}
      >
        The address may be incomplete.
      </EmptyState>
    )
  if (!batch)
    return query.isError ? <LoadFailure title="The batch could not be loaded" query={query} /> : panelLoading
  return (
    <>
      <Summary organisation={organisation} batch={batch} />
      <Items organisation={organisation} batch={batch} />
    </>
  )
}

function Summary({ organisation, batch }: { organisation: OwnOrganisation; batch: Batch }) {
  const [cancelling, setCancelling] = useState(false)
  const refresh = useRefreshWork()
  const params = { id: organisation.id, bat: batch.id }
  const cancel = useMutation({
    mutationFn: () => call(batches.cancel, { params }),
    onSuccess: () => showToast({ tone: 'success', message: 'Batch cancelled.' }),
    onError: error => showToast({ tone: 'danger', message: messageOf(error) }),
    onSettled: () => {
      setCancelling(false)
      return refresh()
    },
  })
  const { counts, currency, status } = batch
  const invalidOrCancelled = (counts.invalid ?? 0) + (counts.cancelled ?? 0)
  // Batches in test mode have specimens only.
  const hasLetters = batch.livemode && (counts.verified ?? 0) + (counts.already_paid ?? 0) > 0
  return (
    <>
      <Panel
        title={batch.name ?? counted(batch.total, 'number')}
        action={
          status === 'processing' ? (
            <Button
              icon={Ban}
              disabledReason={inactiveReason(organisation)}
              onClick={() => setCancelling(true)}
            >
              Cancel
            </Button>
          ) : (
            hasLetters && <ZipButton fetch={() => download(batches.letters, { params })} />
          )
        }
      >
        <div className={styles.facts}>
          <BatchProgress batch={batch} />
          <DefinitionList
            items={[
              { term: 'Status', value: <Status status={batchDisplay(status)} variant="plain" /> },
              { term: 'Started by', value: <bdi>{batch.requested_by?.name ?? 'API key'}</bdi> },
              { term: 'Started on', value: formatDateTime(batch.created_at) },
              ...(batch.completed_at
                ? [{ term: 'Ended on', value: formatDateTime(batch.completed_at) }]
                : []),
              { term: 'Fee per certificate', value: formatMoney(batch.fee, currency) },
              ...(batch.held > 0 ? [{ term: 'Held', value: formatMoney(batch.held, currency) }] : []),
              ...(batch.purpose ? [{ term: 'Purpose', value: batch.purpose }] : []),
            ]}
          />
        </div>
      </Panel>
      <StatGroup label="Counts">
        <Stat label="Found" value={formatCount(counts.verified ?? 0)} />
        <Stat label="Already paid for" value={formatCount(counts.already_paid ?? 0)} />
        <Stat label="Not found" value={formatCount(counts.not_found ?? 0)} />
        <Stat label="Invalid or cancelled" value={formatCount(invalidOrCancelled)} />
      </StatGroup>
      <ConfirmDialog
        open={cancelling}
        title="Cancel this batch?"
        confirmLabel="Cancel Batch"
        cancelLabel="Keep it running"
        busy={cancel.isPending}
        onConfirm={() => cancel.mutate()}
        onCancel={() => setCancelling(false)}
      >
        Verified certificates and their letters are kept. The amount held for the other numbers is released.
      </ConfirmDialog>
    </>
  )
}

function Items({ organisation: { id }, batch }: { organisation: OwnOrganisation; batch: Batch }) {
  const params = { id, bat: batch.id }
  const [search, setSearch] = useSearchParams()
  const status: BatchItemStatus | undefined = itemStatuses.find(item => item === search.get('status'))
  const { page, onPage } = usePage()
  const list = useQuery({
    ...q(batches.items, { params, query: { status, page, per_page: 50 } }),
    placeholderData: keepPreviousData,
    refetchInterval: batch.status === 'processing' ? POLL_MS : false,
  })
  return (
    <BatchItems
      organisationId={id}
      status={status}
      onStatus={next => setSearch(next ? { status: next } : {})}
      exportButton={
        <ExportButton
          fetch={() =>
            download(batches.items, { params, query: { status }, headers: { accept: 'text/csv' } })
          }
          name="batch"
          total={list.data?.pagination?.total}
        />
      }
      items={list.data?.items}
      renderFrame={table => (
        <ListScreen query={list} page={page} onPage={onPage} noun="number" filtered={status !== undefined}>
          {table}
        </ListScreen>
      )}
    />
  )
}
