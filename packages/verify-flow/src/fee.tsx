import { useSettings } from '@portal/api/settings'
import { formatMoney } from '@portal/format/money'
import { formatMethods } from '@portal/format/payment-methods'
import { taxLabel } from '@portal/format/tax'
import { Skeleton } from '@portal/ui/skeleton'
import styles from './verify-widget.module.css'

/** The current fee with its currency. */
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

/** The payment methods that the gateway's checkout currently offers, as text. */
export function PaymentMethods({ format = formatMethods }: { format?: typeof formatMethods }) {
  const { data, isError } = useSettings()
  if (!data && !isError) return <Skeleton width="short" />
  // Without the settings, only the checkout knows the methods.
  return format(data ? data.payment_methods : [])
}

/** The tax that is included in the fee, if the institution has set one. */
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
