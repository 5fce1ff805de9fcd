import { LinkButton } from '@portal/account-ui/link-button'
import { ListScreen } from '@portal/account-ui/list-screen'
import { call } from '@portal/api/call'
import { alertText } from '@portal/api/error'
import { suggestCertificateNumber } from '@portal/contract/certificate-number-suggestion'
import { MOST_COUNTED } from '@portal/contract/list-limits'
import type { Certificate } from '@portal/contract/shapes'
import { dropDraftsAbout, type ListedDraft } from '@portal/drafts/store'
import { UnsentDrafts } from '@portal/drafts/unsent-drafts'
import { useSearchParams } from '@portal/router'
import { paths } from '@portal/router/paths'
import { Button } from '@portal/ui/button'
import { DialogLoading } from '@portal/ui/dialog-loading'
import { EmptyState } from '@portal/ui/empty-state'
import { PageHeader } from '@portal/ui/page-header'
import { showToast } from '@portal/ui/toast-store'
import { VisuallyHidden } from '@portal/ui/visually-hidden'
import { Download, FileSearch, Plus, Upload } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { flushSync } from 'react-dom'
import { certificateDrafts } from '../../parts/draft-forms.ts'
import { certificates as endpoints } from '../../parts/screen-endpoints.ts'
import { showUndo } from '../../parts/undo.tsx'
import { CertificateFilters } from './certificate-filters.tsx'
import type { CertificateBody } from './certificate-form.ts'
import { CertificateSearch } from './certificate-search.tsx'
import { CertificateTable } from './certificate-table.tsx'
import styles from './certificates.module.css'
import { DeleteCertificate } from './delete-certificate.tsx'
import { countFilters, type ListParams, noFilters, readListParams, writeListParams } from './list-params.ts'
import {
  useCertificates,
  useDeleteCertificate,
  useExportCertificates,
  useRestoreCertificate,
  useSaveCertificate,
} from './use-certificates.ts'

// Forms are lazy because they bring their validation; the list does not wait for them.
const CertificateDialog = lazy(() => import('./certificate-dialog.tsx'))

type Open = { kind: 'add' } | { kind: 'edit' | 'delete'; certificate: Certificate }

/** The register: search, add, edit and delete certificates. Search and page are in the URL. */
export default function CertificatesPage() {
  const [address, setAddress] = useSearchParams()
  const params = readListParams(address)
  const [open, setOpen] = useState<Open>()
  const list = useCertificates(params)
  const save = useSaveCertificate()
  const remove = useDeleteCertificate()
  const restore = useRestoreCertificate()
  const file = useExportCertificates(params)
  const { certificates = [], pagination } = list.data ?? {}
  const show = (next: Partial<ListParams>, replace = false) =>
    setAddress(writeListParams({ ...params, ...next }), { replace })

  async function continueDraft({ about, find }: ListedDraft) {
    if (about === '') return setOpen({ kind: 'add' })
    // Start from the stored values so that other people's changes are kept.
    const found = await call(endpoints.list, { query: { search: find } })
    const certificate = found.certificates.find(({ id }) => id === about)
    if (!certificate) throw new Error('This certificate has been deleted or its number has changed.')
    setOpen({ kind: 'edit', certificate })
  }

  async function onSave(body: CertificateBody, edited: Certificate | undefined) {
    const saved = edited ? 'Certificate updated.' : 'Certificate added.'
    const { message = saved } = await save.mutateAsync({ edited, body })
    setOpen(undefined)
    showToast({ tone: 'success', message })
    // A new certificate is first in the list.
    if (!edited) setAddress(writeListParams(readListParams(new URLSearchParams())))
  }

  function onDelete(certificate: Certificate) {
    remove.mutate(certificate, {
      onSuccess: ({ message = 'Certificate deleted.' }) => {
        dropDraftsAbout(certificate.id)
        // The focused button was removed with its row: move the focus to the heading.
        flushSync(() => setOpen(undefined))
        document.querySelector<HTMLElement>('[data-page-title]')?.focus()
        showUndo({ message, undo: async () => (await restore.mutateAsync(certificate)).message })
      },
      onError: () => setOpen(undefined),
    })
  }

  function onRestore(certificate: Certificate) {
    restore.mutate(certificate, {
      onSuccess: ({ message }) => showToast({ tone: 'success', message }),
      onError: error => window.alert(alertText(error)),
    })
  }

  const filtered = params.search !== '' || countFilters(params.filters) > 0 || params.state === 'deleted'
  const meant = suggestCertificateNumber(params.search)
  const addButton = (
    <Button variant="primary" icon={Plus} onClick={() => setOpen({ kind: 'add' })}>
      Add certificate
    </Button>
  )

  return (
    <>
      <PageHeader
        title="Certificates"
        action={
          <>
            <Button
              icon={Download}
              busy={file.isPending}
              busyLabel="Exporting…"
              onClick={() => file.mutate()}
            >
              Export
            </Button>
            <LinkButton to={paths.dashboard('upload')} icon={Upload}>
              Upload certificates
            </LinkButton>
            {addButton}
          </>
        }
      />
      {open === undefined && <UnsentDrafts apart {...certificateDrafts} onContinue={continueDraft} />}
      <CertificateSearch search={params.search} onSearch={search => show({ search, page: 1 }, true)} />
      <div className={styles.views}>
        <CertificateFilters filters={params.filters} onChange={filters => show({ filters, page: 1 })} />
        <fieldset className={styles.switch}>
          <legend>
            <VisuallyHidden>Certificates shown</VisuallyHidden>
          </legend>
          {(['current', 'deleted'] as const).map(state => (
            <Button
              key={state}
              size="sm"
              aria-pressed={params.state === state}
              onClick={() => show({ state, page: 1 })}
            >
              {state === 'current' ? 'Current' : 'Deleted'}
            </Button>
          ))}
        </fieldset>
      </div>
      <ListScreen
        query={list}
        failure="The certificates could not be loaded"
        pagination={pagination}
        page={params.page}
        onPage={(page, replace) => show({ page }, replace)}
        label="Pages of certificates"
        noun="certificate"
        filtered={filtered}
        countedTo={filtered ? MOST_COUNTED : undefined}
        keepsToPages
      >
        {loading => (
          <CertificateTable
            certificates={certificates}
            loading={loading}
            sort={params.sort}
            onSort={sort => show({ sort, page: 1 })}
            onRestore={params.state === 'deleted' ? onRestore : undefined}
            onEdit={certificate => setOpen({ kind: 'edit', certificate })}
            onDelete={certificate => setOpen({ kind: 'delete', certificate })}
            empty={
              countFilters(params.filters) > 0 ? (
                <EmptyState
                  title="No certificate matches these filters."
                  icon={FileSearch}
                  action={
                    <Button onClick={() => show({ filters: noFilters, search: '', page: 1 })}>
                      Clear Filters
                    </Button>
                  }
                />
              ) : params.search === '' && params.state === 'deleted' ? (
                <EmptyState title="No deleted certificates." icon={FileSearch}>
                  Deleted certificates can be restored for 90 days.
                </EmptyState>
              ) : params.search === '' ? (
                <EmptyState title="No certificates yet" icon={FileSearch}>
                  Use the button above to add the first one.
                </EmptyState>
              ) : (
                <EmptyState
                  title={`No certificate matches “${params.search}”`}
                  icon={FileSearch}
                  action={
                    <>
                      {meant && (
                        <Button onClick={() => show({ search: meant, page: 1 })}>
                          Did you mean {meant}?
                        </Button>
                      )}
                      <Button onClick={() => show({ search: '', page: 1 })}>Clear search</Button>
                    </>
                  }
                >
                  Search by part of a certificate number, a student’s name or a course.
                </EmptyState>
              )
            }
          />
        )}
      </ListScreen>
      {(open?.kind === 'add' || open?.kind === 'edit') && (
        <Suspense
          fallback={
            <DialogLoading
              title={open.kind === 'add' ? 'Add certificate' : 'Edit certificate'}
              onClose={() => setOpen(undefined)}
            />
          }
        >
          <CertificateDialog
            certificate={open.kind === 'edit' ? open.certificate : undefined}
            onSave={onSave}
            onClose={() => setOpen(undefined)}
          />
        </Suspense>
      )}
      {open?.kind === 'delete' && (
        <DeleteCertificate
          certificate={open.certificate}
          busy={remove.isPending}
          onConfirm={() => onDelete(open.certificate)}
          onCancel={() => setOpen(undefined)}
        />
      )}
    </>
  )
}
