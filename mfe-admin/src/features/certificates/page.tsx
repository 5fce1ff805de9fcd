import { LinkButton } from '@portal/account-ui/link-button'
import { ListScreen } from '@portal/account-ui/list-screen'
import { call } from '@portal/api/call'
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
import { FileSearch, Plus, Upload } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { flushSync } from 'react-dom'
import { certificateDrafts } from '../../parts/draft-forms.ts'
import { certificates as endpoints } from '../../parts/screen-endpoints.ts'
import { showUndo } from '../../parts/undo.tsx'
import type { CertificateBody } from './certificate-form.ts'
import { CertificateSearch } from './certificate-search.tsx'
import { CertificateTable } from './certificate-table.tsx'
import { DeleteCertificate } from './delete-certificate.tsx'
import { type ListParams, readListParams, writeListParams } from './list-params.ts'
import {
  useCertificates,
  useDeleteCertificate,
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

  async function onSave(body: CertificateBody) {
    const edited = open?.kind === 'edit' ? open.certificate : undefined
    const saved = edited ? 'Certificate updated.' : 'Certificate added.'
    const { message = saved } = await save.mutateAsync({ id: edited?.id, body })
    setOpen(undefined)
    showToast({ tone: 'success', message })
    // A new certificate is first in the list.
    if (!edited) show({ search: '', page: 1 })
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
            <LinkButton to={paths.dashboard('upload')} icon={Upload}>
              Upload certificates
            </LinkButton>
            {addButton}
          </>
        }
      />
      {open === undefined && <UnsentDrafts apart {...certificateDrafts} onContinue={continueDraft} />}
      <CertificateSearch search={params.search} onSearch={search => show({ search, page: 1 }, true)} />
      <ListScreen
        query={list}
        failure="The certificates could not be loaded"
        pagination={pagination}
        page={params.page}
        onPage={(page, replace) => show({ page }, replace)}
        label="Pages of certificates"
        noun="certificate"
        filtered={params.search !== ''}
        countedTo={params.search === '' ? undefined : MOST_COUNTED}
        keepsToPages
      >
        {loading => (
          <CertificateTable
            certificates={certificates}
            loading={loading}
            onEdit={certificate => setOpen({ kind: 'edit', certificate })}
            onDelete={certificate => setOpen({ kind: 'delete', certificate })}
            empty={
              params.search === '' ? (
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
