import { useIdempotencyKey } from '@portal/account-ui/use-idempotency-key'
import { call } from '@portal/api/call'
import { type ApiError, isApiError, messageOf, referenceOf } from '@portal/api/error'
import { isCertificateNumber, normaliseCertificateNumber } from '@portal/contract/certificate-number'
import type { OwnOrganisation } from '@portal/contract/organisation-shapes'
import { formatDuration } from '@portal/format/dates'
import { useNavigate } from '@portal/router'
import { Alert } from '@portal/ui/alert'
import { Button } from '@portal/ui/button'
import { FormActions, FormLayout, FormRow } from '@portal/ui/form-layout'
import { TextInput } from '@portal/ui/text-input'
import { showToast } from '@portal/ui/toast-store'
import { useMutation } from '@tanstack/react-query'
import { ShieldCheck } from 'lucide-react'
import { type SubmitEvent, useRef, useState } from 'react'
import { organisationPath } from '../../parts/organisation-paths.ts'
import { verifications } from '../../parts/organisation-work-endpoints.ts'
import { useRefreshWork } from '../../parts/use-refresh-work.ts'
import { inactiveReason } from './frame.tsx'

/** Field that verifies one certificate, paid from the balance, and opens the result. */
export function VerifyField({ organisation }: { organisation: OwnOrganisation }) {
  const { id } = organisation
  const [number, setNumber] = useState('')
  const [reference, setReference] = useState('')
  const [invalid, setInvalid] = useState<string>()
  const field = useRef<HTMLInputElement>(null)
  const idempotencyHeaders = useIdempotencyKey()
  const refresh = useRefreshWork()
  const navigate = useNavigate()
  const verify = useMutation({
    mutationFn: (body: { certificate_number: string; reference: string }) =>
      call(verifications.create, { params: { id }, body, headers: idempotencyHeaders(body) }),
    onSuccess: ({ verification, already_paid }) => {
      void refresh()
      if (already_paid)
        showToast({ tone: 'info', message: 'Your organisation has already paid for this certificate.' })
      void navigate(organisationPath(id, 'verifications', verification.id))
    },
    onError: error => {
      const fieldError = isApiError(error) ? error.fields.certificate_number : undefined
      if (fieldError) showProblem(fieldError)
    },
  })

  function showProblem(problem: string) {
    setInvalid(problem)
    field.current?.focus()
  }

  function submit(event: SubmitEvent) {
    event.preventDefault()
    const certificate_number = normaliseCertificateNumber(number)
    if (certificate_number === '') return showProblem('Please enter a certificate number.')
    if (!isCertificateNumber(certificate_number))
      return showProblem('Please enter a valid certificate number.')
    verify.mutate({ certificate_number, reference: reference.trim() })
  }

  const failure = verify.error && !invalid ? verify.error : undefined
  return (
    <form onSubmit={submit} noValidate>
      <FormLayout>
        {failure && (
          <Alert tone="danger" reference={referenceOf(failure)}>
            {messageOf(failure)}
            {isApiError(failure) && retryHint(failure)}
          </Alert>
        )}
        <FormRow>
          <TextInput
            ref={field}
            label="Certificate number"
            mono
            upper
            autoComplete="off"
            autoCapitalize="characters"
            spellCheck={false}
            maxLength={100}
            value={number}
            error={invalid}
            onChange={event => {
              setNumber(event.target.value)
              setInvalid(undefined)
              verify.reset()
            }}
          />
          <TextInput
            label="Your reference"
            optional
            autoComplete="off"
            maxLength={64}
            value={reference}
            onChange={event => setReference(event.target.value)}
          />
        </FormRow>
        <FormActions>
          <Button
            type="submit"
            variant="primary"
            icon={ShieldCheck}
            busy={verify.isPending}
            busyLabel="Verifying…"
            disabledReason={inactiveReason(organisation)}
          >
            Verify Certificate
          </Button>
        </FormActions>
      </FormLayout>
    </form>
  )
}

const retryHint = ({ retryAfter }: ApiError) =>
  retryAfter ? ` You can try again in ${formatDuration(retryAfter * 1000)}.` : ''
