import { LinkButton } from '@portal/account-ui/link-button'
import { paths } from '@portal/router/paths'
import { PageHeader } from '@portal/ui/page-header'
import { Panel } from '@portal/ui/panel'
import { VerifyWidget } from '@portal/verify-flow/verify-widget'
import { OrganisationHint } from '../../parts/organisation-hint.tsx'
import styles from './page.module.css'

export default function VerifyPage() {
  return (
    <div className={styles.page}>
      <PageHeader
        title="Verify Certificate"
        description="Enter a certificate number, pay the fee, and get the official letter immediately."
        action={<LinkButton to={paths.dashboard('bulk')}>Bulk Verification</LinkButton>}
      />
      <Panel>
        <VerifyWidget />
      </Panel>
      <OrganisationHint className={styles.hint} />
    </div>
  )
}
