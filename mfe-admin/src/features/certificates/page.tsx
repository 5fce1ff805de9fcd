import { LoadFailure } from '@portal/account-ui/load-failure'
import { call } from '@portal/api/call'
import { suggestCertificateNumber } from '@portal/contract/certificate-number-suggestion'
import type { Certificate } from '@portal/contract/shapes'
import { dropDraftsAbout, type ListedDraft } from '@portal/drafts/store'
import { UnsentDrafts } from '@portal/drafts/unsent-drafts'
import { formatCount } from '@portal/format/numbers'
import { useSearchParams } from '@portal/router'
import { Button } from '@portal/ui/button'
import { DialogLoading } from '@portal/ui/dialog-loading'
import { EmptyState } from '@portal/ui/empty-state'
import { PageHeader } from '@portal/ui/page-header'
import { Pagination } from '@portal/ui/pagination'
import { showToast } from '@portal/ui/toast-store'
import { VisuallyHidden } from '@portal/ui/visually-hidden'
import { FileSearch, Plus } from 'lucide-react'
import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { certificateDrafts } from '../../parts/draft-forms.ts'
import { certificates as endpoints } from '../../parts/endpoints.ts'
import { showUndo } from '../../parts/undo.tsx'
import type { CertificateBody } from './certificate-form.ts'
import { CertificateSearch } from './certificate-search.tsx'
import { CertificateTable } from './certificate-table.tsx'
import styles from './certificates.module.css'
import { DeleteCertificate } from './delete-certificate.tsx'
import { type ListParams, readListParams, writeListParams } from './list-params.ts'
import {
  useCertificates,
  useDeleteCertificate,
  useRestoreCertificate,
  useSaveCertificate,
} from './use-certificates.ts'

// Forms bring their rules along; the list does not wait for them.
const CertificateDialog = lazy(() => import('./certificate-dialog.tsx'))

type Open = { kind: 'add' } | { kind: 'edit' | 'delete'; certificate: Certificate }

/** Matches of a search are counted up to here. */
const MOST_COUNTED = 10_000

function counted(total: number, search: string): string {
  const more = search !== '' && total >= MOST_COUNTED ? ' or more' : ''
  return `${formatCount(total)}${more} ${total === 1 ? 'certificate' : 'certificates'}`
}

/** All certificates on record: search, add, correct, delete. Search and page live in the address. */
export default function CertificatesPage() {
  const [address, setAddress] = useSearchParams()
  const params = readListParams(address)
  const [open, setOpen] = useState<Open>()
  const list = useCertificates(params)
  const results = useRef<HTMLDivElement>(null)
  const save = useSaveCertificate()
  const remove = useDeleteCertificate()
  const restore = useRestoreCertificate()
  const { certificates = [], pagination } = list.data ?? {}
  // An empty list may count no page at all, and is shown all the same.
  const lastPage = list.isPlaceholderData ? undefined : pagination && Math.max(pagination.pages, 1)

  const show = (next: Partial<ListParams>, replace = false) =>
    setAddress(writeListParams({ ...params, ...next }), { replace })

  // The last row of the last page was deleted, or the address names a page that is not there.
  const gone = lastPage !== undefined && params.page > lastPage
  useEffect(() => {
    if (!gone) return
    setAddress(writeListParams({ search: params.search, page: lastPage }), { replace: true })
  }, [gone, lastPage, params.search, setAddress])

  async function continueDraft({ about, find }: ListedDraft) {
    if (about === '') return setOpen({ kind: 'add' })
    // As stored now: what others changed since stays.
    const found = await call(endpoints.list, { query: { search: find } })
    const certificate = found.certificates.find(({ id }) => id === about)
    if (!certificate) throw new Error('This certificate was deleted, or has another number now.')
    setOpen({ kind: 'edit', certificate })
  }

  async function onSave(body: CertificateBody) {
    const edited = open?.kind === 'edit' ? open.certificate : undefined
    const saved = edited ? 'Certificate updated.' : 'Certificate added.'
    const { message = saved } = await save.mutateAsync({ id: edited?.id, body })
    setOpen(undefined)
    showToast({ tone: 'success', message })
    // A new certificate stands first in the list.
    if (!edited) show({ search: '', page: 1 })
  }

  function onDelete(certificate: Certificate) {
    remove.mutate(certificate, {
      onSuccess: ({ message = 'Certificate deleted.' }) => {
        dropDraftsAbout(certificate.id)
        // The button that asked is gone with its row: the focus goes to the heading instead of nowhere.
        flushSync(() => setOpen(undefined))
        document.querySelector<HTMLElement>('[data-page-title]')?.focus()
        showUndo({ message, undo: async () => (await restore.mutateAsync(certificate)).message })
      },
      onError: () => setOpen(undefined),
    })
  }

  const meant = suggestCertificateNumber(params.search)
  const addButton = (
    <Button variant="primary" icon={Plus} onClick={() => setOpen({ kind: 'add' })}>
      Add Certificate
    </Button>
  )

  return (
    <>
      <PageHeader title="Certificates" action={addButton} />
      {open === undefined && <UnsentDrafts apart {...certificateDrafts} onContinue={continueDraft} />}
      <CertificateSearch search={params.search} onSearch={search => show({ search, page: 1 }, true)} />
      {list.isError && <LoadFailure title="The certificates could not be loaded" query={list} />}
      {!(list.isError && !list.data) && (
        <div ref={results} className={styles.results} aria-busy={list.isPlaceholderData || undefined}>
          <CertificateTable
            certificates={certificates}
            loading={list.isPending || gone}
            onEdit={certificate => setOpen({ kind: 'edit', certificate })}
            onDelete={certificate => setOpen({ kind: 'delete', certificate })}
            empty={
              params.search === '' ? (
                <EmptyState title="No certificates yet" icon={FileSearch}>
                  Add the first one with the button above.
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
                  Look for part of a certificate number, a student’s name or a course.
                </EmptyState>
              )
            }
          />
        </div>
      )}
      {pagination && pagination.total > 0 && (
        <Pagination
          page={params.page}
          pages={pagination.pages}
          total={counted(pagination.total, params.search)}
          onPage={page => {
            show({ page })
            // A page is read from its first row; the focus stays on the button for the next step.
            results.current?.scrollIntoView({ block: 'start' })
          }}
          label="Pages of certificates"
        />
      )}
      <span role="status">
        {params.search !== '' && lastPage !== undefined && (
          <VisuallyHidden>{counted(pagination?.total ?? 0, params.search)} found</VisuallyHidden>
        )}
      </span>
      {(open?.kind === 'add' || open?.kind === 'edit') && (
        <Suspense
          fallback={
            <DialogLoading
              title={open.kind === 'add' ? 'Add Certificate' : 'Edit Certificate'}
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
