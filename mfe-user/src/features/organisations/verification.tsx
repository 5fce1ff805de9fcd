import { LoadFailure } from '@portal/account-ui/load-failure'
import { isApiError } from '@portal/api/error'
import { q } from '@portal/api/query'
import type { OwnOrganisation } from '@portal/contract/organisation-shapes'
import type { organisationVerifications } from '@portal/contract/organisation-verifications'
import type { Reply } from '@portal/contract/route'
import { formatDateTime } from '@portal/format/dates'
import { sourceLabel, verificationDisplay } from '@portal/format/organisations'
import { templateIfComplete } from '@portal/letter/complete-template'
import { Link, useParams } from '@portal/router'
import { Status } from '@portal/ui/badge'
import { type Definition, DefinitionList } from '@portal/ui/definition-list'
import { EmptyState } from '@portal/ui/empty-state'
import { CertificateNumber } from '@portal/ui/mono'
import { Panel } from '@portal/ui/panel'
import { FoundResult, NotFoundResult } from '@portal/verify-flow/result-step'
import { useQuery } from '@tanstack/react-query'
import { FileSearch } from 'lucide-react'
import { organisationPath } from '../../parts/organisation-paths.ts'
import { verifications } from '../../parts/organisation-work-endpoints.ts'
import { useRefreshWork } from '../../parts/use-refresh-work.ts'
import { OrganisationFrame, panelLoading } from './frame.tsx'
import styles from './organisations.module.css'

type VerificationReply = Reply<typeof organisationVerifications.read>

/** Page of one verification of an organisation, with its letter and the person who requested it. */
export default function OrganisationVerification() {
  return (
    <OrganisationFrame section="history" title="Verification" requires="verify" loading={panelLoading}>
      {organisation => <LoadedVerification organisation={organisation} />}
    </OrganisationFrame>
  )
}

function LoadedVerification({ organisation }: { organisation: OwnOrganisation }) {
  const { ver = '' } = useParams()
  const query = useQuery({
    ...q(verifications.read, { params: { id: organisation.id, ver } }),
    staleTime: 0,
  })
  if (isApiError(query.error) && query.error.status === 404)
    return (
      <EmptyState
        title="Verification not found."
        icon={FileSearch}
        action={<Link to={organisationPath(organisation.id, 'history')}>History</Link>}
      >
        The address may be incomplete.
      </EmptyState>
    )
  if (!query.data)
    return query.isError ? (
      <LoadFailure title="The verification could not be loaded" query={query} />
    ) : (
      panelLoading
    )
  return (
    <>
      <Panel>
        <Result {...query.data} loading={query.isFetching} />
      </Panel>
      <Panel title="Request" variant="plain">
        <DefinitionList items={describeRequest(query.data, organisation.id)} />
      </Panel>
    </>
  )
}

const TEST_MODE = {
  tone: 'warning',
  title: 'Test mode',
  text: 'The register was not searched. The certificate and letter are specimens and name no real person.',
  brief: 'Test mode',
} as const

function Result(reply: VerificationReply & { loading: boolean }) {
  const { verification, certificate, letter, verification_template: template, loading } = reply
  const refresh = useRefreshWork()
  const payment = {
    transactionId: verification.transaction_id,
    paymentReference: null,
    amountPaid: verification.amount,
    currency: verification.currency,
    note: verification.livemode ? null : TEST_MODE,
  }
  if (certificate)
    return (
      <FoundResult
        level={2}
        loading={loading}
        onReissued={() => void refresh()}
        result={{
          ...payment,
          type: 'success',
          message: verification.livemode ? 'Certificate verified' : 'Specimen certificate',
          certificate,
          verificationTemplate: templateIfComplete(template),
          letter,
          authenticatedAt: verification.completed_at,
        }}
      />
    )
  if (verification.status === 'completed')
    return (
      <NotFoundResult
        level={2}
        result={{
          ...payment,
          type: 'not_found',
          refunded: false,
          message: 'The register has no certificate with this number.',
          certificateNumber: verification.certificate_number,
          suggestion: undefined,
        }}
      />
    )
  return (
    <div className={styles.facts}>
      <CertificateNumber number={verification.certificate_number} size="large" />
      <Status status={verificationDisplay(verification)} />
    </div>
  )
}

function describeRequest({ verification }: VerificationReply, organisationId: string): Definition[] {
  const { requested_by, source, created_at, reference, purpose, batch_id } = verification
  return [
    { term: 'Requested by', value: <bdi>{requested_by?.name ?? 'API key'}</bdi> },
    { term: 'Requested on', value: formatDateTime(created_at) },
    {
      term: 'Source',
      value: batch_id ? (
        <Link to={organisationPath(organisationId, 'batches', batch_id)}>{sourceLabel(source)}</Link>
      ) : (
        sourceLabel(source)
      ),
    },
    ...(reference ? [{ term: 'Your reference', value: reference }] : []),
    ...(purpose ? [{ term: 'Purpose', value: purpose }] : []),
  ]
}
