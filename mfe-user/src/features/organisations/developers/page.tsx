import type { OwnOrganisation } from '@portal/contract/organisation-shapes'
import { useSearchParams } from '@portal/router'
import { Panel } from '@portal/ui/panel'
import { Tabs } from '@portal/ui/tabs'
import { OrganisationFrame } from '../frame.tsx'
import styles from '../organisations.module.css'
import { Events } from './events.tsx'
import { Keys } from './keys.tsx'
import { TestNumbers } from './test-numbers.tsx'
import { Webhooks } from './webhooks.tsx'

const tabs = [
  { id: 'keys', label: 'API keys' },
  { id: 'webhooks', label: 'Webhooks' },
  { id: 'events', label: 'Events' },
  { id: 'test', label: 'Test mode' },
] as const

/** The tools for developers of an organisation: API keys, webhooks, their events, and test numbers. */
export default function DevelopersPage() {
  return (
    <OrganisationFrame section="developers" title="Developers" requires="manage">
      {organisation => <Developers organisation={organisation} />}
    </OrganisationFrame>
  )
}

function Developers({ organisation }: { organisation: OwnOrganisation }) {
  const [search, setSearch] = useSearchParams()
  const tab = tabs.find(({ id }) => id === search.get('tab'))?.id ?? 'keys'
  return (
    <>
      <Panel variant="sunken">
        <p className={styles.muted}>
          Verify certificates from your own software. New here? Make your{' '}
          <a href="/api/docs/first-call">first call in five minutes</a>, or read the{' '}
          <a href="/api/docs">API reference</a>.
        </p>
      </Panel>
      <Tabs
        label="Developers"
        tabs={tabs}
        value={tab}
        onChange={next => setSearch(next === 'keys' ? {} : { tab: next }, { replace: true })}
      >
        {tab === 'keys' && <Keys organisation={organisation} />}
        {tab === 'webhooks' && <Webhooks organisation={organisation} />}
        {tab === 'events' && <Events organisation={organisation} />}
        {tab === 'test' && <TestNumbers />}
      </Tabs>
    </>
  )
}
