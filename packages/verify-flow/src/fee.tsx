import { useSettings } from '@portal/api/settings'
import { formatMoney } from '@portal/format/money'
import { Skeleton } from '@portal/ui/skeleton'
import styles from './verify-widget.module.css'

/** The fee with its currency, as the settings have it now. */
export function Fee() {
  const { data, isError } = useSettings()
  if (data) return <span className={styles.figure}>{formatMoney(data.verification_fee, data.currency)}</span>
  return isError ? <>Shown before you pay</> : <Skeleton width="short" />
}
