import { LoadFailure } from '@portal/account-ui/load-failure'
import { q } from '@portal/api/query'
import { formatDateTime } from '@portal/format/dates'
import { formatMoney } from '@portal/format/money'
import { PageHeader } from '@portal/ui/page-header'
import { Panel } from '@portal/ui/panel'
import { Skeleton } from '@portal/ui/skeleton'
import { VisuallyHidden } from '@portal/ui/visually-hidden'
import { useQuery } from '@tanstack/react-query'
import { requireData } from '../../parts/require-data.ts'
import { feeSettings } from '../../parts/screen-endpoints.ts'
import { FeeHistory } from './fee-history.tsx'
import { FeeSettings } from './fee-settings.tsx'
import styles from './settings.module.css'
import { TaxSettings } from './tax-settings.tsx'

/** The current fee and the form that changes it. */
export default function SettingsPage() {
  const fee = useQuery({
    ...q(feeSettings.read),
    select: requireData(reply => reply.settings?.verification_fee),
  })
  const { settings, updated_at, minimum_payment = 0, version = 1 } = fee.data ?? {}
  return (
    <>
      <PageHeader
        title="Verification Fee Settings"
        description="The price of one verification. Payments already started keep their fee."
      />
      {fee.isError && <LoadFailure title="The fee could not be loaded" query={fee} />}
      {!(fee.isError && !settings) && (
        <Panel className={styles.form}>
          <div className={styles.current}>
            <p className={styles.term}>Current fee</p>
            {settings ? (
              <>
                <p className={styles.amount}>{formatMoney(settings.verification_fee, settings.currency)}</p>
                {updated_at && <p className={styles.since}>Since {formatDateTime(updated_at)}</p>}
              </>
            ) : (
              <Skeleton size="figure" width="medium" />
            )}
          </div>
          {settings ? (
            <FeeSettings
              fee={settings.verification_fee}
              version={version}
              currency={settings.currency}
              minimum={minimum_payment}
            />
          ) : (
            <span role="status">
              <Skeleton size="field" />
              <VisuallyHidden>Loading the verification fee</VisuallyHidden>
            </span>
          )}
        </Panel>
      )}
      {settings && <TaxSettings fee={settings.verification_fee} currency={settings.currency} />}
      {/* Shown once the fee has loaded, because the fee would otherwise push it down. */}
      {!fee.isPending && <FeeHistory />}
    </>
  )
}
