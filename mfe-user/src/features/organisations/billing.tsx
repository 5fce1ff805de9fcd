import type { OwnOrganisation } from '@portal/contract/organisation-shapes'
import { formatMoney } from '@portal/format/money'
import { useSearchParams } from '@portal/router'
import { Button } from '@portal/ui/button'
import { Stat, StatGroup } from '@portal/ui/stat'
import { Tabs } from '@portal/ui/tabs'
import { Wallet } from 'lucide-react'
import { inactiveReason, OrganisationFrame } from './frame.tsx'
import { Invoices } from './invoices.tsx'
import { MovementTable } from './movement-table.tsx'
import { Movements } from './movements.tsx'
import { Statements } from './statements.tsx'
import { TopupDialog } from './topup-dialog.tsx'
import { TopupPanel } from './topup-panel.tsx'
import { useTopup } from './use-topup.ts'

const tabs = [
  { id: 'movements', label: 'Movements' },
  { id: 'statements', label: 'Statements' },
  { id: 'invoices', label: 'Invoices' },
] as const

/** Page with the balance, its movements, statements and invoices, and ways to top up. */
export default function BillingPage() {
  return (
    <OrganisationFrame
      section="billing"
      title="Billing"
      requires="billing"
      loading={<Loading />}
      action={organisation => <TopUpButton organisation={organisation} />}
    >
      {organisation => <Billing organisation={organisation} />}
    </OrganisationFrame>
  )
}

const Loading = () => (
  <>
    <StatGroup label="Balance">
      <Stat label="Available" value="" loading />
      <Stat label="Held" value="" note="For running batches" loading />
      <Stat label="Balance" value="" loading />
    </StatGroup>
    <MovementTable caption="Movements" currency="" rows={[]} loading empty={null} />
  </>
)

function TopUpButton({ organisation }: { organisation: OwnOrganisation }) {
  const [, setSearch] = useSearchParams()
  return (
    <Button
      variant="primary"
      icon={Wallet}
      disabledReason={inactiveReason(organisation)}
      onClick={() => setSearch({ dialog: 'topup' })}
    >
      Top Up
    </Button>
  )
}

function Billing({ organisation }: { organisation: OwnOrganisation }) {
  const [search, setSearch] = useSearchParams()
  const state = useTopup(organisation.id)
  const { available, balance, held, currency } = organisation
  const tab = tabs.find(({ id }) => id === search.get('tab'))?.id ?? 'movements'
  const isDialogOpen = search.get('dialog') === 'topup' && !state.isShown && organisation.state === 'active'
  return (
    <>
      {state.isShown && <TopupPanel state={state} />}
      <StatGroup label="Balance">
        <Stat label="Available" value={formatMoney(available, currency)} />
        <Stat label="Held" value={formatMoney(held, currency)} note="For running batches" />
        <Stat label="Balance" value={formatMoney(balance, currency)} />
      </StatGroup>
      <Tabs
        label="Billing"
        tabs={tabs}
        value={tab}
        onChange={next => setSearch(next === 'movements' ? {} : { tab: next }, { replace: true })}
      >
        {tab === 'movements' && <Movements organisation={organisation} />}
        {tab === 'statements' && <Statements organisation={organisation} />}
        {tab === 'invoices' && <Invoices organisation={organisation} />}
      </Tabs>
      {isDialogOpen && (
        <TopupDialog
          organisation={organisation}
          state={state}
          onClose={() => setSearch({}, { replace: true })}
        />
      )}
    </>
  )
}
