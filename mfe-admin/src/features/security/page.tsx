import { LoadFailure } from '@portal/account-ui/load-failure'
import { Sessions } from '@portal/account-ui/sessions'
import { q, queryKey } from '@portal/api/query'
import { Alert } from '@portal/ui/alert'
import { PageHeader } from '@portal/ui/page-header'
import { Panel } from '@portal/ui/panel'
import { Skeleton } from '@portal/ui/skeleton'
import { VisuallyHidden } from '@portal/ui/visually-hidden'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { secondFactor } from '../../parts/endpoints.ts'
import { requireData } from '../../parts/require-data.ts'
import { EnrolledApp } from './enrolled.tsx'
import { Enrolment } from './enrolment.tsx'
import { RecoveryCodes } from './recovery-codes.tsx'
import styles from './security.module.css'

/** Account Security: set-up of the authenticator app that login requires in addition to the password. */
export default function SecurityPage() {
  const client = useQueryClient()
  const { data, error, isFetching, refetch } = useQuery({
    ...q(secondFactor.read),
    select: requireData(({ enrolled }) => enrolled),
  })
  const [codes, setCodes] = useState<readonly string[]>()
  const refresh = () => client.invalidateQueries({ queryKey: queryKey(secondFactor.read) })

  return (
    <div className={styles.page}>
      <PageHeader
        title="Account Security"
        description="Ask for a code from your phone as well as your password, so a stolen password is not enough."
      />
      {data?.required && !data.enrolled && !codes && (
        <Alert tone="warning" title="Your institution requires an authenticator app for staff">
          Until you set one up, the other screens stay locked.
        </Alert>
      )}
      <Panel title={codes ? 'Keep your recovery codes' : 'Authenticator app'}>
        {codes ? (
          <RecoveryCodes
            codes={codes}
            onSaved={() => {
              setCodes(undefined)
              void refresh()
            }}
          />
        ) : data ? (
          data.enrolled ? (
            <EnrolledApp codesLeft={data.recovery_codes_left} onCodes={setCodes} onRemoved={refresh} />
          ) : (
            <Enrolment onConfirmed={setCodes} />
          )
        ) : error ? (
          <LoadFailure title="Account security could not be loaded" query={{ error, isFetching, refetch }} />
        ) : (
          <>
            <span role="status">
              <VisuallyHidden>Loading account security</VisuallyHidden>
            </span>
            <Skeleton lines={4} />
          </>
        )}
      </Panel>
      {/* Shown once the panel above has loaded, because that panel would otherwise push this one down. */}
      {(data || error) && <Sessions />}
    </div>
  )
}
