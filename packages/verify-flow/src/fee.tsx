import { useSettings } from '@portal/api/settings'
import { formatMoney } from '@portal/format/money'
import { taxLabel } from '@portal/format/tax'
import { Skeleton } from '@portal/ui/skeleton'
import { methodsInBrief } from './payment-methods.ts'
import styles from './verify-widget.module.css'

/** The fee with its currency, as the settings have it now. */
export function Fee() {
  const { data, isError } = useSettings()
  if (data)
    return (
      <>
        <span className={styles.figure}>{formatMoney(data.verification_fee, data.currency)}</span>
        <TaxNote />
      </>
    )
  return isError ? <>Shown before you pay</> : <Skeleton width="short" />
}

/** The ways to pay that the checkout offers now. */
export function PaymentMethods({ words = methodsInBrief }: { words?: typeof methodsInBrief }) {
  const { data, isError } = useSettings()
  if (!data && !isError) return <Skeleton width="short" />
  // Without settings they are known at the checkout alone.
  return words(data ? data.payment_methods : [])
}

/** What of the fee is tax, where the institution has set one. */
export function TaxNote() {
  const { tax, currency } = useSettings().data ?? {}
  return (
    tax && (
      <span className={styles.tax}>
        including {taxLabel(tax)}: {formatMoney(tax.amount, currency)}
      </span>
    )
  )
}
