import { LinkButton } from '@portal/account-ui/link-button'
import { useIdempotencyKey } from '@portal/account-ui/use-idempotency-key'
import { call } from '@portal/api/call'
import { isApiError, messageOf, referenceOf } from '@portal/api/error'
import { useSettings } from '@portal/api/settings'
import { isCertificateNumber } from '@portal/contract/certificate-number'
import type { OwnOrganisation } from '@portal/contract/organisation-shapes'
import { counted } from '@portal/format/counted'
import { formatMinor, toMinor } from '@portal/format/money'
import { useNavigate } from '@portal/router'
import { may } from '@portal/rules/organisations'
import { Alert } from '@portal/ui/alert'
import { TextInput } from '@portal/ui/text-input'
import { useMutation } from '@tanstack/react-query'
import { ListChecks } from 'lucide-react'
import { useState } from 'react'
import { NumberEntry } from '../../parts/number-entry.tsx'
import { parseNumbers } from '../../parts/numbers.ts'
import { organisationPath } from '../../parts/organisation-paths.ts'
import { batches } from '../../parts/organisation-work-endpoints.ts'
import { useRefreshWork } from '../../parts/use-refresh-work.ts'
import { inactiveReason } from './frame.tsx'
import styles from './organisations.module.css'

/** Maximum number of certificates in a batch; importing the contract's constant would load its schemas. */
const MAX_NUMBERS = 5000

/** Form to start a batch: numbers, the amount that will be held, and a name. */
export function BatchStart({ organisation }: { organisation: OwnOrganisation }) {
  const { id, available, currency, role } = organisation
  const fee = useSettings().data?.verification_fee
  const [text, setText] = useState('')
  const [name, setName] = useState('')
  const idempotencyHeaders = useIdempotencyKey()
  const refresh = useRefreshWork()
  const navigate = useNavigate()
  const start = useMutation({
    mutationFn: (body: { certificate_numbers: string[]; name: string }) =>
      call(batches.create, { params: { id }, body, headers: idempotencyHeaders(body) }),
    onSuccess: ({ batch }) => {
      void refresh()
      void navigate(organisationPath(id, 'batches', batch.id))
    },
  })
  const entered = parseNumbers(text)
  const distinct = [...new Set(entered)]
  const duplicates = entered.length - distinct.length
  const validCount = distinct.filter(isCertificateNumber).length
  const invalid = distinct.length - validCount
  const amount = fee === undefined ? undefined : toMinor(fee) * validCount
  const exceedsBalance = amount !== undefined && amount > toMinor(available)
  const { error } = start
  return (
    <NumberEntry
      text={text}
      busy={start.isPending}
      maxNumbers={MAX_NUMBERS}
      action={{ label: 'Start Batch', busyLabel: 'Starting…', icon: ListChecks }}
      disabledReason={inactiveReason(organisation)}
      onText={typed => {
        setText(typed)
        start.reset()
      }}
      onSubmit={numbers => start.mutate({ certificate_numbers: [...new Set(numbers)], name: name.trim() })}
    >
      {distinct.length > 0 && (
        <>
          <TextInput
            label="Name of the batch"
            optional
            autoComplete="off"
            maxLength={120}
            value={name}
            onChange={event => setName(event.target.value)}
          />
          <div className={styles.balance} role="status">
            {amount !== undefined && (
              <p>
                <strong>
                  {counted(validCount, 'number')}. {formatMinor(amount, currency)} will be held.
                </strong>
              </p>
            )}
            <p className={styles.muted}>
              {duplicates > 0 && `${counted(duplicates, 'duplicate')} removed. `}
              {invalid > 0 &&
                `${counted(invalid, 'invalid number')} ${invalid === 1 ? 'costs' : 'cost'} nothing. `}
              Nothing is held for numbers that the organisation has already paid for. Any unused amount is
              released when the batch ends.
            </p>
          </div>
          {exceedsBalance && (
            <Alert
              tone="warning"
              silent
              actions={
                may(role, 'billing') && (
                  <LinkButton size="sm" to={`${organisationPath(id, 'billing')}?dialog=topup`}>
                    Top Up
                  </LinkButton>
                )
              }
            >
              The available balance of {formatMinor(toMinor(available), currency)} may not cover this batch.
            </Alert>
          )}
        </>
      )}
      {error && (
        <Alert tone="danger" reference={referenceOf(error)}>
          {(isApiError(error) && Object.values(error.fields)[0]) || messageOf(error)}
        </Alert>
      )}
    </NumberEntry>
  )
}
