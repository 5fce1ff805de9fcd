import { PageHeader } from '@portal/ui/page-header'
import { Panel } from '@portal/ui/panel'
import { VerifyWidget } from '@portal/verify-flow/verify-widget'

export default function VerifyPage() {
  return (
    <>
      <PageHeader
        title="Verify Certificate"
        description="Enter a certificate number, pay the fee by card, and receive the official letter at once."
      />
      <Panel>
        <VerifyWidget />
      </Panel>
    </>
  )
}
