import { groupTransactionId } from '@portal/format/transaction-id'
import { TransactionId } from '@portal/ui/mono'
import { EMPTY_VALUE } from '../../parts/empty-value.ts'
import lists from '../../parts/list.module.css'

/** Button that opens a transaction; its label is the transaction's ID in groups of four. */
export function TransactionButton({
  id,
  onOpen,
}: {
  id: string | null | undefined
  onOpen: (id: string) => void
}) {
  if (!id) return EMPTY_VALUE
  return (
    <TransactionId
      id={id}
      short
      copy
      wrap={shown => (
        <button
          type="button"
          className={lists.open}
          aria-label={`Transaction ${groupTransactionId(id)}, details`}
          onClick={() => onOpen(id)}
        >
          {shown}
        </button>
      )}
    />
  )
}
