import { ExportButton } from '@portal/account-ui/export-button'
import { LinkButton } from '@portal/account-ui/link-button'
import { ListScreen } from '@portal/account-ui/list-screen'
import { call } from '@portal/api/call'
import { MAX_COUNTED } from '@portal/contract/list-limits'
import type { ListedDraft } from '@portal/drafts/store'
import { UnsentDrafts } from '@portal/drafts/unsent-drafts'
import { useSearchParams } from '@portal/router'
import { paths } from '@portal/router/paths'
import { useSession } from '@portal/session/store'
import { Button } from '@portal/ui/button'
import { DialogLoading } from '@portal/ui/dialog-loading'
import { PageHeader } from '@portal/ui/page-header'
import { VisuallyHidden } from '@portal/ui/visually-hidden'
import { ListChecks, Plus, Upload } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { certificateDrafts } from '../../parts/draft-forms.ts'
import { certificates as endpoints } from '../../parts/screen-endpoints.ts'
import { BulkBar } from './bulk-bar.tsx'
import type { BulkKind } from './bulk-dialog.tsx'
import { CertificateFilters } from './certificate-filters.tsx'
import { CertificateTable } from './certificate-table.tsx'
import styles from './certificates.module.css'
import { countFilters, type ListParams, readListParams, toListQuery, writeListParams } from './list-params.ts'
import { NoCertificates } from './no-certificates.tsx'
import { useCertificateDialogs } from './use-certificate-dialogs.tsx'
import { fetchFile, useCertificates } from './use-certificates.ts'
import { useSelection } from './use-selection.ts'

// Loaded lazily, so that the list does not wait for the code of a form.
const BulkDialog = lazy(() => import(/* webpackChunkName: "dialogs" */ './bulk-dialog.tsx'))

/** The register: search, add, edit and delete certificates. Search and page are in the URL. */
export default function CertificatesPage() {
  const [searchParams, setSearchParams] = useSearchParams()
  const params = readListParams(searchParams)
  const list = useCertificates(params)
  const [bulkKind, setBulkKind] = useState<BulkKind>()
  const selectionState = useSelection(JSON.stringify(toListQuery(params)))
  const isSuperAdmin = useSession(({ user }) => user?.role === 'super_admin')
  const { certificates, pagination } = list.data ?? {}
  const show = (next: Partial<ListParams>, replace = false) =>
    setSearchParams(writeListParams({ ...params, ...next }), { replace })

  const { dialogs, ...certificateActions } = useCertificateDialogs({
    // A new certificate is first in the unfiltered list, so that list is shown.
    onAdded: () => setSearchParams(writeListParams(readListParams(new URLSearchParams()))),
  })

  async function continueDraft({ recordId, searchText }: ListedDraft) {
    if (recordId === '') return certificateActions.add()
    // Starts from the values stored now, so that changes by others are kept.
    const found = await call(endpoints.list, { query: { search: searchText } })
    const certificateToEdit = found.certificates.find(({ id }) => id === recordId)
    if (!certificateToEdit) throw new Error('This certificate has been deleted or its number has changed.')
    certificateActions.edit(certificateToEdit)
  }

  const isFiltered = params.search !== '' || countFilters(params.filters) > 0 || params.state === 'deleted'
  return (
    <>
      <PageHeader
        title="Certificates"
        description="The institution’s register."
        action={<PageActions params={params} total={pagination?.total} onAdd={certificateActions.add} />}
      />
      {!certificateActions.isOpen && (
        <UnsentDrafts hasMargin {...certificateDrafts} onContinue={continueDraft} />
      )}
      <CertificateFilters
        search={params.search}
        onSearch={search => show({ search, page: 1 }, true)}
        filters={params.filters}
        onChange={filters => show({ filters, page: 1 })}
        sort={params.sort}
        onSort={sort => show({ sort, page: 1 })}
        actions={<StateSwitch state={params.state} onChange={state => show({ state, page: 1 })} />}
      />
      <BulkBar
        pageIds={certificates?.map(({ id }) => id) ?? []}
        pagination={pagination}
        selectionState={selectionState}
        offered={
          params.state === 'deleted'
            ? ['bulk_restore']
            : isSuperAdmin
              ? ['bulk_edit', 'bulk_delete']
              : ['bulk_edit']
        }
        onBulk={setBulkKind}
      />
      <ListScreen
        query={list}
        page={params.page}
        onPage={(page, replace) => show({ page }, replace)}
        className={styles.results}
        noun="certificate"
        filtered={isFiltered}
        countLimit={isFiltered ? MAX_COUNTED : undefined}
      >
        {loading => (
          <CertificateTable
            certificates={certificates}
            loading={loading}
            sort={params.sort}
            onSort={sort => show({ sort, page: 1 })}
            onRestore={params.state === 'deleted' ? certificateActions.restore : undefined}
            onEdit={certificateActions.edit}
            onDelete={certificateActions.remove}
            isSelected={id => selectionState.selection.isAll || selectionState.selection.ids.has(id)}
            onSelect={(id, isSelected) => selectionState.setSelected([id], isSelected)}
            empty={<NoCertificates params={params} onShow={show} />}
          />
        )}
      </ListScreen>
      {dialogs}
      {bulkKind && (
        <Suspense
          fallback={<DialogLoading title="Selected certificates" onClose={() => setBulkKind(undefined)} />}
        >
          <BulkDialog
            kind={bulkKind}
            selection={
              selectionState.selection.isAll
                ? { filter: toListQuery(params) }
                : { ids: [...selectionState.selection.ids] }
            }
            onStarted={selectionState.clear}
            onClose={() => setBulkKind(undefined)}
          />
        </Suspense>
      )}
    </>
  )
}

interface PageActionsProps {
  params: ListParams
  total: number | undefined
  onAdd: () => void
}

function PageActions({ params, total, onAdd }: PageActionsProps) {
  return (
    <>
      <ExportButton label="Export" fetch={() => fetchFile(params)} name="certificates" total={total} />
      <LinkButton to={paths.registerJobs()} icon={ListChecks}>
        Bulk changes
      </LinkButton>
      <LinkButton to={paths.dashboard('upload')} icon={Upload}>
        Upload
      </LinkButton>
      <Button variant="primary" icon={Plus} onClick={onAdd}>
        Add certificate
      </Button>
    </>
  )
}

interface StateSwitchProps {
  state: ListParams['state']
  onChange: (state: ListParams['state']) => void
}

function StateSwitch({ state: shown, onChange }: StateSwitchProps) {
  return (
    <fieldset className={styles.switch}>
      <legend>
        <VisuallyHidden>Certificates shown</VisuallyHidden>
      </legend>
      {(['current', 'deleted'] as const).map(state => (
        <Button key={state} aria-pressed={shown === state} onClick={() => onChange(state)}>
          {state === 'current' ? 'Current' : 'Deleted'}
        </Button>
      ))}
    </fieldset>
  )
}
