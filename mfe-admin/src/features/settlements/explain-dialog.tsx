import { zodResolver } from '@hookform/resolvers/zod'
import { FormDialog } from '@portal/account-ui/form-dialog'
import { fieldOf, stateOf, submitWith } from '@portal/account-ui/form-props'
import { call } from '@portal/api/call'
import { queryKey } from '@portal/api/query'
import { differenceNote, type SettlementDifference } from '@portal/contract/admin-settlements'
import { formatMoneyOrNone } from '@portal/format/money'
import { differenceDisplay, differenceReason } from '@portal/format/settlements'
import { DefinitionList } from '@portal/ui/definition-list'
import { Code } from '@portal/ui/mono'
import { TextArea } from '@portal/ui/text-area'
import { useQueryClient } from '@tanstack/react-query'
import { useForm } from 'react-hook-form'
import type * as z from 'zod'
import { settlements } from './endpoints.ts'

interface Props {
  difference: SettlementDifference
  onDone: (message: string) => void
  onClose: () => void
}

/** Form in which staff explain a difference. */
export default function ExplainDialog({ difference, onDone, onClose }: Props) {
  const client = useQueryClient()
  const form = useForm<z.input<typeof differenceNote>, unknown, z.output<typeof differenceNote>>({
    resolver: zodResolver(differenceNote),
    defaultValues: { note: difference.note ?? '' },
  })
  const field = fieldOf(form)
  const submit = submitWith(form, async body => {
    const { message } = await call(settlements.explain, { params: { id: difference.id }, body })
    for (const route of [settlements.differences, settlements.list])
      void client.invalidateQueries({ queryKey: queryKey(route) })
    onDone(message)
  })
  const { kind, reference, currency, expected, found } = difference
  return (
    <FormDialog
      title="Explain the difference"
      description={differenceReason(kind)}
      submitLabel="Mark as explained"
      busyLabel="Saving…"
      {...stateOf(form)}
      onSubmit={submit}
      onClose={onClose}
    >
      <DefinitionList
        variant="compact"
        items={[
          { term: 'Difference', value: differenceDisplay(kind).label },
          { term: 'Reference', value: <Code>{reference || 'None'}</Code> },
          { term: 'Ledger', value: formatMoneyOrNone(expected, currency) },
          { term: 'Settlement', value: formatMoneyOrNone(found, currency) },
        ]}
      />
      <TextArea
        label="Note"
        help="The explanation, for example the number of a bank entry. It is saved in the activity log."
        rows={3}
        required
        {...field('note')}
      />
    </FormDialog>
  )
}
