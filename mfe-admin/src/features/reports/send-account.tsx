import { zodResolver } from '@hookform/resolvers/zod'
import { FormDialog } from '@portal/account-ui/form-dialog'
import { fieldOf, stateOf, submitWith } from '@portal/account-ui/form-props'
import { call } from '@portal/api/call'
import { messageOf } from '@portal/api/error'
import { q, queryKey } from '@portal/api/query'
import { bankAccountNumber, requiredText } from '@portal/contract/fields'
import type { RefundRecord } from '@portal/contract/refunds'
import { formatMoney } from '@portal/format/money'
import { Alert } from '@portal/ui/alert'
import { Button } from '@portal/ui/button'
import { DefinitionList } from '@portal/ui/definition-list'
import { TransactionId } from '@portal/ui/mono'
import { Select } from '@portal/ui/select'
import { TextInput } from '@portal/ui/text-input'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import * as z from 'zod'
import { reconciliation } from '../../parts/money-endpoints.ts'
import { reports } from '../../parts/screen-endpoints.ts'

const schema = z.object({
  bank_id: requiredText('Please choose a bank.', 20),
  account_number: bankAccountNumber(),
})
type Values = z.input<typeof schema>

interface Props {
  refund: RefundRecord
  onDone: (message: string) => void
  onClose: () => void
}

/**
 * Dialog that sends the payer's bank account to the gateway for a refund that needs attention, after showing the account name.
 */
export default function SendAccountDialog({ refund, onDone, onClose }: Props) {
  const client = useQueryClient()
  const params = { id: refund.id }
  const bankList = useQuery(q(reconciliation.refundBanks, { params }))
  const banks = bankList.data?.banks ?? []
  const form = useForm({ resolver: zodResolver(schema), defaultValues: { bank_id: '', account_number: '' } })
  // The account whose name is shown. Editing the account clears this, so that the name is looked up again.
  const [checkedAccount, setChecked] = useState<Values & { name: string | null }>()
  const field = fieldOf(form)
  const amount = formatMoney(refund.amount, refund.currency)
  const discardCheck = { onChange: () => setChecked(undefined) }

  async function checkName(values: Values) {
    const bank_code = banks.find(bank => bank.id === values.bank_id)?.code ?? ''
    const body = { bank_code, account_number: values.account_number }
    const { account_name: name } = await call(reconciliation.refundAccountName, { params, body })
    setChecked({ ...values, name })
  }

  async function send(body: Values) {
    const { message } = await call(reconciliation.retryRefund, { params, body })
    for (const route of [reconciliation.refunds, reports.summary])
      client.invalidateQueries({ queryKey: queryKey(route) })
    onDone(message)
  }

  const submit = submitWith(form, async values => {
    try {
      await (checkedAccount ? send(values) : checkName(values))
    } catch (error) {
      setChecked(undefined)
      throw error
    }
  })

  return (
    <FormDialog
      title={`Send ${amount} to a bank account?`}
      description="The gateway could not refund to the original payment method. Ask the payer for their bank account. The account is sent to the gateway and not stored here."
      submitLabel={checkedAccount ? 'Send account' : 'Check account'}
      busyLabel={checkedAccount ? 'Sending…' : 'Checking…'}
      {...stateOf(form)}
      onSubmit={submit}
      onClose={onClose}
    >
      <DefinitionList
        variant="compact"
        items={[
          { term: 'Payer', value: refund.email },
          { term: 'Transaction', value: <TransactionId id={refund.transaction_id} /> },
        ]}
      />
      {bankList.isError && (
        <Alert
          tone="danger"
          actions={
            <Button busy={bankList.isFetching} onClick={() => bankList.refetch()}>
              Try again
            </Button>
          }
        >
          {messageOf(bankList.error)}
        </Alert>
      )}
      <Select
        label="Bank"
        placeholder={bankList.isPending ? 'Loading…' : 'Choose a bank'}
        options={banks.map(({ id, name }) => ({ value: id, label: name }))}
        {...field('bank_id', discardCheck)}
      />
      <TextInput
        label="Account number"
        mono
        inputMode="numeric"
        maxLength={10}
        autoComplete="off"
        spellCheck={false}
        help="10 digits (NUBAN)."
        data-secret
        {...field('account_number', discardCheck)}
      />
      {checkedAccount && <AccountName name={checkedAccount.name} />}
    </FormDialog>
  )
}

function AccountName({ name }: { name: string | null }) {
  return name === null ? (
    <Alert tone="warning" title="No name found">
      The gateway found no name for this account. Confirm the bank and number with the payer before you send
      them.
    </Alert>
  ) : (
    <Alert tone="info" title={name}>
      This is the account name. Send it only if it is the payer’s.
    </Alert>
  )
}
