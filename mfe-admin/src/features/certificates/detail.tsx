import { LoadFailure } from '@portal/account-ui/load-failure'
import { isApiError } from '@portal/api/error'
import { q } from '@portal/api/query'
import type { CertificateDetail } from '@portal/contract/admin-certificates'
import { formatShortDate } from '@portal/format/dates'
import { certificateDisplay } from '@portal/format/status'
import { Link, useParams, useSearchParams } from '@portal/router'
import { readPage, toSearchParams } from '@portal/router/params'
import { paths } from '@portal/router/paths'
import { Alert } from '@portal/ui/alert'
import { Status } from '@portal/ui/badge'
import { Button } from '@portal/ui/button'
import { EmptyState } from '@portal/ui/empty-state'
import { PageHeader } from '@portal/ui/page-header'
import { Panel } from '@portal/ui/panel'
import { Skeleton } from '@portal/ui/skeleton'
import { Tabs } from '@portal/ui/tabs'
import { useQuery } from '@tanstack/react-query'
import { FileQuestion, Pencil, Trash2, Undo2 } from 'lucide-react'
import lists from '../../parts/list.module.css'
import { certificates } from '../../parts/screen-endpoints.ts'
import styles from './certificates.module.css'
import {
  CertificateFacts,
  CertificateHistory,
  CertificateLetters,
  CertificateVerifications,
} from './detail-tabs.tsx'
import { useCertificateDialogs } from './use-certificate-dialogs.tsx'

const tabs = [
  { id: 'details', label: 'Details' },
  { id: 'history', label: 'History' },
  { id: 'letters', label: 'Letters' },
  { id: 'verifications', label: 'Verifications' },
] as const

/** One certificate with its history, letters and verifications; the tab and its page are in the URL. */
export default function CertificatePage() {
  const { id = '' } = useParams()
  const [search, setSearch] = useSearchParams()
  const certificateQuery = useQuery(q(certificates.read, { params: { id } }))
  const { dialogs, ...change } = useCertificateDialogs()
  const tab = tabs.find(item => item.id === search.get('tab'))?.id ?? 'details'
  const page = readPage(search)

  function show(nextTab: string, nextPage = 1, replace = false) {
    setSearch(toSearchParams({ tab: nextTab, page: nextPage }, { tab: 'details' }), { replace })
  }
  const paging = { page, onPage: (next: number, replace?: boolean) => show(tab, next, replace) }

  if (isApiError(certificateQuery.error) && certificateQuery.error.status === 404) return <NotFound />
  if (!certificateQuery.data) {
    return (
      <>
        <BackLink />
        <PageHeader title="Certificate" />
        {certificateQuery.isError ? (
          <LoadFailure title="The certificate could not be loaded" query={certificateQuery} />
        ) : (
          <Panel>
            <Skeleton size="facts" lines={8} />
          </Panel>
        )}
      </>
    )
  }
  const { certificate, letters } = certificateQuery.data
  const isDeleted = certificate.state === 'deleted'
  const withLetters = { ...certificate, letters: letters.valid }
  return (
    <>
      <BackLink />
      <PageHeader
        title={certificate.certificate_number}
        description={
          <>
            <Status status={certificateDisplay(certificate.state)} /> <bdi>{certificate.student_name}</bdi>
          </>
        }
        action={
          isDeleted ? (
            <Button variant="primary" icon={Undo2} onClick={() => change.restore(certificate)}>
              Restore
            </Button>
          ) : (
            <>
              <Button icon={Trash2} onClick={() => change.remove(withLetters)}>
                Delete
              </Button>
              <Button variant="primary" icon={Pencil} onClick={() => change.edit(withLetters)}>
                Edit
              </Button>
            </>
          )
        }
      />
      <div className={styles.detail}>
        {isDeleted && (
          <Alert tone="warning" silent>
            {deletionInWords(certificate)}
          </Alert>
        )}
        <Tabs label="Certificate" tabs={tabs} value={tab} onChange={next => show(next, 1, true)}>
          {tab === 'details' && <CertificateFacts {...certificateQuery.data} />}
          {tab === 'history' && <CertificateHistory id={id} {...paging} />}
          {tab === 'letters' && <CertificateLetters id={id} {...paging} />}
          {tab === 'verifications' && (
            <CertificateVerifications number={certificate.certificate_number} {...paging} />
          )}
        </Tabs>
      </div>
      {dialogs}
    </>
  )
}

/** Describes a deletion: 'Deleted on May 3, 2026 by ada@example.org. You can restore it until Aug 1, 2026.' */
function deletionInWords({ deleted_at, deleted_by, purge_on }: CertificateDetail): string {
  const deletion = [
    'Deleted',
    deleted_at && `on ${formatShortDate(deleted_at)}`,
    deleted_by && `by ${deleted_by}`,
  ]
  const retentionText = purge_on
    ? `until ${formatShortDate(purge_on)}`
    : 'at any time, because it has letters'
  return `${deletion.filter(Boolean).join(' ')}. You can restore it ${retentionText}.`
}

function BackLink() {
  return (
    <p className={lists.back}>
      <Link to={paths.dashboard('certificates')}>All certificates</Link>
    </p>
  )
}

function NotFound() {
  return (
    <>
      <PageHeader title="Certificate" />
      <EmptyState
        title="Certificate not found."
        icon={FileQuestion}
        action={<Link to={paths.dashboard('certificates')}>All certificates</Link>}
      >
        It may have been removed permanently, or the link may be incomplete.
      </EmptyState>
    </>
  )
}
