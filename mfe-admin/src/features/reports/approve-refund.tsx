import { zodResolver } from '@hookform/resolvers/zod'
import { FormDialog } from '@portal/account-ui/form-dialog'
import { fieldOf, stateOf, submitWith } from '@portal/account-ui/form-props'
import { call } from '@portal/api/call'
import { queryKey } from '@portal/api/query'
import { requiredText } from '@portal/contract/fields'
import type { RefundRecord } from '@portal/contract/refunds'
import { useDraft } from '@portal/drafts/use-draft'
import { gatewayName } from '@portal/format/gateways'
import { formatMoney } from '@portal/format/money'
import { refundReason } from '@portal/format/reports'
import { DefinitionList } from '@portal/ui/definition-list'
import { TransactionId } from '@portal/ui/mono'
import { TextInput } from '@portal/ui/text-input'
import { useQueryClient } from '@tanstack/react-query'
import { useForm, useWatch } from 'react-hook-form'
import * as z from 'zod'
import { refundDrafts } from '../../parts/draft-forms.ts'
import { reconciliation, transactionLogs } from '../../parts/money-endpoints.ts'
import { reports } from '../../parts/screen-endpoints.ts'

/** Maximum length of a bank reference. */
const MAX_REFERENCE_LENGTH = 64

type Schema = z.ZodType<{ bank_reference: string | null }, { bank_reference: string }>
const bankSchema: Schema = z.object({
  bank_reference: requiredText('Bank reference is required', MAX_REFERENCE_LENGTH),
})
const gatewaySchema: Schema = z.object({ bank_reference: z.string().transform(text => text.trim() || null) })

interface Props {
  refund: RefundRecord
  onDone: (message: string) => void
  onClose: () => void
}

/** Dialog that confirms a refund: the gateway is instructed, or a bank reference is recorded. */
export default function ApproveRefundDialog({ refund, onDone, onClose }: Props) {
  const client = useQueryClient()
  const isByBank = refund.way === 'bank'
  // If the gateway refused the refund, staff may have refunded the payer in another way, for example in the gateway's
  // dashboard.
  const mayBeRecorded = !isByBank && refund.status === 'failed'
  const form = useForm<z.input<Schema>, unknown, z.output<Schema>>({
    resolver: zodResolver(isByBank ? bankSchema : gatewaySchema),
    defaultValues: { bank_reference: '' },
  })
  const field = fieldOf(form)
  const reference = useWatch({ control: form.control, name: 'bank_reference' })
  const recordsOnly = isByBank || (mayBeRecorded && reference.trim() !== '')
  const amount = formatMoney(refund.amount, refund.currency)
  const draft = useDraft(form, {
    ...refundDrafts,
    recordId: refund.id,
    label: `Refund of ${amount}`,
    searchText: refund.transaction_id,
  })

  const submit = submitWith(form, async body => {
    const { message } = await call(reconciliation.approveRefund, { params: { id: refund.id }, body })
    const affectedRoutes = [reconciliation.refunds, reconciliation.ledger, reports.summary, transactionLogs]
    for (const route of affectedRoutes) client.invalidateQueries({ queryKey: queryKey(route) })
    draft.remove()
    onDone(message)
  })

  return (
    <FormDialog
      title={isByBank ? `Record a refund of ${amount}` : `Refund ${amount}?`}
      description={
        isByBank
          ? 'The portal cannot return this money. Return it to the payer by bank transfer first, then record the reference here. Recording does not send any money.'
          : 'The gateway sends the refund as soon as you approve it. This cannot be undone.'
      }
      submitLabel={recordsOnly ? 'Record refund' : 'Approve refund'}
      busyLabel={recordsOnly ? 'Recording…' : 'Approving…'}
      draft={draft}
      {...stateOf(form)}
      onSubmit={submit}
      onClose={onClose}
    >
      <DefinitionList
        variant="compact"
        items={[
          { term: 'Payer', value: refund.email },
          { term: 'Reason', value: refundReason(refund.reason) },
          { term: 'Transaction', value: <TransactionId id={refund.transaction_id} /> },
          { term: 'Gateway', value: gatewayName(refund.provider) },
          ...(mayBeRecorded && refund.note ? [{ term: 'Reason for refusal', value: refund.note }] : []),
        ]}
      />
      {(isByBank || mayBeRecorded) && (
        <TextInput
          label={isByBank ? 'Bank reference' : 'Reference, if already refunded'}
          optional={mayBeRecorded}
          mono
          autoComplete="off"
          spellCheck={false}
          help={
            isByBank
              ? `As given by the bank for the transfer of ${amount}.`
              : 'The reference of a bank transfer, or the number of a refund in the gateway’s dashboard. Leave it empty to let the gateway try again.'
          }
          {...field('bank_reference')}
        />
      )}
    </FormDialog>
  )
}
