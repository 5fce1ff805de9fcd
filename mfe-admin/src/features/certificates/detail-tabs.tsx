import { ListScreen } from '@portal/account-ui/list-screen'
import { q } from '@portal/api/query'
import type { adminCertificates, IssuedLetter } from '@portal/contract/admin-certificates'
import type { Reply } from '@portal/contract/route'
import { formatDateTime, formatShortDate } from '@portal/format/dates'
import { formatCount } from '@portal/format/numbers'
import { letterDisplay } from '@portal/format/status'
import { Link } from '@portal/router'
import { paths } from '@portal/router/paths'
import { Status } from '@portal/ui/badge'
import { DefinitionList } from '@portal/ui/definition-list'
import { EmptyState } from '@portal/ui/empty-state'
import { CertificateNumber, Code } from '@portal/ui/mono'
import { Panel } from '@portal/ui/panel'
import { type Column, Table } from '@portal/ui/table'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Mail } from 'lucide-react'
import { Email } from '../../parts/email.tsx'
import { EMPTY_VALUE } from '../../parts/empty-value.ts'
import { HistoryList } from '../../parts/history/history-list.tsx'
import lists from '../../parts/list.module.css'
import { Moment } from '../../parts/optional-values.tsx'
import { certificates } from '../../parts/screen-endpoints.ts'
import { VerificationList } from '../../parts/verification-list.tsx'

const PER_PAGE = 20

interface PagedTabProps {
  page: number
  onPage: (page: number, replace?: boolean) => void
}

/** The certificate's data and origin. */
export function CertificateFacts({
  certificate,
  upload,
  letters,
  verifications,
}: Reply<typeof adminCertificates.read>) {
  const addedBy = (
    <>
      {certificate.uploader_email ? <Email address={certificate.uploader_email} /> : 'Unknown'}
      {`, ${formatDateTime(certificate.uploaded_at)}`}
    </>
  )
  const lettersInWords =
    [
      letters.valid > 0 && `${formatCount(letters.valid)} valid`,
      letters.superseded > 0 && `${formatCount(letters.superseded)} superseded`,
      letters.withdrawn > 0 && `${formatCount(letters.withdrawn)} withdrawn`,
    ]
      .filter(Boolean)
      .join(', ') || 'None'
  return (
    <Panel>
      <DefinitionList
        items={[
          {
            term: 'Certificate number',
            value: <CertificateNumber number={certificate.certificate_number} />,
          },
          { term: 'Student name', value: <span className={lists.text}>{certificate.student_name}</span> },
          { term: 'Matric number', value: certificate.matric_number ?? EMPTY_VALUE },
          { term: 'Course', value: <span className={lists.text}>{certificate.course}</span> },
          { term: 'Department', value: <span className={lists.text}>{certificate.department}</span> },
          { term: 'Grade', value: <span className={lists.text}>{certificate.grade}</span> },
          {
            term: 'Graduation date',
            value: <Moment at={certificate.graduation_date} format={formatShortDate} />,
          },
          { term: 'Added by', value: addedBy },
          ...(upload
            ? [{ term: 'Upload', value: <Link to={paths.uploadReport(upload.id)}>{upload.filename}</Link> }]
            : []),
          { term: 'Last changed', value: <Moment at={certificate.updated_at} /> },
          { term: 'Version', value: formatCount(certificate.version) },
          { term: 'Letters', value: lettersInWords },
          { term: 'Verifications', value: formatCount(verifications) },
        ]}
      />
    </Panel>
  )
}

/** The history of a certificate: all recorded changes. */
export function CertificateHistory({ id, page, onPage }: PagedTabProps & { id: string }) {
  const query = useQuery({
    ...q(certificates.history, { params: { id }, query: { page, per_page: PER_PAGE } }),
    placeholderData: keepPreviousData,
  })
  return <HistoryList query={query} page={page} onPage={onPage} />
}

const letterColumns: readonly Column<IssuedLetter>[] = [
  {
    key: 'reference',
    header: 'Reference',
    rowHeader: true,
    cell: letter => (
      <>
        <Code>{letter.ref_number}</Code>
        <Moment className={lists.second} at={letter.issued_at} />
      </>
    ),
  },
  {
    key: 'addressee',
    header: 'Addressee',
    cell: letter => <span className={lists.text}>{letter.addressee || EMPTY_VALUE}</span>,
  },
  {
    key: 'status',
    header: 'Status',
    cell: letter => <Status status={letterDisplay(letter.status)} variant="plain" />,
  },
  { key: 'checks', header: 'Checks', align: 'end', cell: letter => formatCount(letter.checks) },
  {
    key: 'page',
    header: 'Public page',
    cell: letter => <Link to={paths.letter(letter.code)}>{`Open ${letter.ref_number}`}</Link>,
  },
]

/** The letters issued for the certificate. */
export function CertificateLetters({ id, page, onPage }: PagedTabProps & { id: string }) {
  const query = useQuery({
    ...q(certificates.letters, { params: { id }, query: { page, per_page: PER_PAGE } }),
    placeholderData: keepPreviousData,
  })
  return (
    <ListScreen query={query} page={page} onPage={onPage} noun="letter">
      {loading => (
        <Table
          caption="Letters"
          captionHidden
          columns={letterColumns}
          rows={query.data?.letters}
          rowKey={letter => letter.code}
          loading={loading}
          skeletonRows={3}
          empty={
            <EmptyState title="No letters" icon={Mail}>
              A letter is issued when someone pays to verify this certificate.
            </EmptyState>
          }
        />
      )}
    </ListScreen>
  )
}

/** The verifications of the certificate. */
export function CertificateVerifications({ number, ...paged }: PagedTabProps & { number: string }) {
  return <VerificationList filter={{ certificate_number: number }} {...paged} />
}
