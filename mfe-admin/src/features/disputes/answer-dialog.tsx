import { fieldOf, stateOf, submitWith } from '@portal/account-ui/form-props'
import '@portal/contract/zod-setup'
import { zodResolver } from '@hookform/resolvers/zod'
import { FormDialog } from '@portal/account-ui/form-dialog'
import type { Dispute } from '@portal/contract/admin-disputes'
import { formatMoney } from '@portal/format/money'
import { TextArea } from '@portal/ui/text-area'
import { useForm } from 'react-hook-form'
import * as z from 'zod'
import { sendAnswer, useRefresh } from './use-disputes.ts'

const schema = z.object({ note: z.string().trim().max(2000, 'Please use at most 2,000 characters.') })
type Fields = z.infer<typeof schema>

interface Props {
  dispute: Dispute
  kind: 'accept' | 'contest'
  title: string
  onDone: (message: string) => void
  onClose: () => void
}

/** Dialog that asks for confirmation before an answer is sent to the gateway, because it cannot be undone. */
export default function AnswerDialog({ dispute, kind, title, onDone, onClose }: Props) {
  const refresh = useRefresh()
  const form = useForm<Fields>({ resolver: zodResolver(schema), defaultValues: { note: dispute.note } })
  const field = fieldOf(form)
  const amount = formatMoney(Math.max(0, dispute.amount - dispute.refunded), dispute.currency)

  const submit = submitWith(form, async ({ note }) => {
    const { message } = await sendAnswer(kind, dispute.id, note)
    await refresh()
    onDone(message)
  })

  const isAccepting = kind === 'accept'
  return (
    <FormDialog
      title={title}
      description={
        isAccepting
          ? `The gateway returns ${amount} to the payer. If that is the whole payment, its letters are withdrawn. This cannot be undone.`
          : 'The evidence below, the letters and your note are sent to the bank. This cannot be undone.'
      }
      submitLabel={isAccepting ? `Accept and return ${amount}` : 'Send evidence'}
      busyLabel="Sending…"
      {...stateOf(form)}
      onSubmit={submit}
      onClose={onClose}
    >
      <TextArea
        label="Note"
        optional
        help={
          isAccepting
            ? 'Sent to the gateway with your answer.'
            : 'Sent to the bank with the evidence. Say what the payer received, and when.'
        }
        {...field('note')}
      />
    </FormDialog>
  )
}
