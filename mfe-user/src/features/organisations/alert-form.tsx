import { call } from '@portal/api/call'
import { isApiError, messageOf } from '@portal/api/error'
import type { OwnOrganisation } from '@portal/contract/organisation-shapes'
import { parseAmount } from '@portal/format/amount'
import { Button } from '@portal/ui/button'
import { FormActions, FormLayout } from '@portal/ui/form-layout'
import { TextInput } from '@portal/ui/text-input'
import { showToast } from '@portal/ui/toast-store'
import { useMutation } from '@tanstack/react-query'
import { type SubmitEvent, useState } from 'react'
import { billing } from '../../parts/organisation-work-endpoints.ts'
import { useRefreshWork } from '../../parts/use-refresh-work.ts'
import { inactiveReason } from './frame.tsx'

/** Form for the low-balance alert: an amount, or empty for no alert. */
export function AlertForm({ organisation }: { organisation: OwnOrganisation }) {
  const { id, low_balance_alert } = organisation
  const [text, setText] = useState(low_balance_alert === null ? '' : low_balance_alert.toFixed(2))
  const [invalid, setInvalid] = useState<string>()
  const refresh = useRefreshWork()
  const save = useMutation({
    mutationFn: (amount: number | null) =>
      call(billing.setAlert, { params: { id }, body: { low_balance_alert: amount } }),
    onSuccess: async () => {
      await refresh()
      showToast({ tone: 'success', message: 'Low-balance alert saved.' })
    },
    onError: error => setInvalid((isApiError(error) && error.fields.low_balance_alert) || messageOf(error)),
  })
  function submit(event: SubmitEvent) {
    event.preventDefault()
    const amount = text.trim() === '' ? null : parseAmount(text)
    if (amount === undefined) setInvalid('Please enter an amount.')
    else save.mutate(amount)
  }
  return (
    <form onSubmit={submit} noValidate>
      <FormLayout>
        <TextInput
          label="Amount in naira"
          optional
          numeric
          inputMode="decimal"
          autoComplete="off"
          maxLength={20}
          value={text}
          error={invalid}
          help="Leave it empty to turn the alert off."
          onChange={event => {
            setText(event.target.value)
            setInvalid(undefined)
          }}
        />
        <FormActions>
          <Button
            type="submit"
            busy={save.isPending}
            busyLabel="Saving…"
            disabledReason={inactiveReason(organisation)}
          >
            Save Alert
          </Button>
        </FormActions>
      </FormLayout>
    </form>
  )
}
