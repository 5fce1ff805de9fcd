import { q } from '@portal/api/query'
import { healthDisplay } from '@portal/format/status'
import { Status } from '@portal/ui/badge'
import { Button } from '@portal/ui/button'
import { Panel } from '@portal/ui/panel'
import { useQuery } from '@tanstack/react-query'
import { systemHealth } from '../../parts/endpoints.ts'
import { buildComponents, readMeasurements } from './health.ts'
import styles from './overview.module.css'

const REFRESH_MS = 60_000

/** Health of the service and its components, refreshed every minute. */
export function SystemHealth() {
  const options = { refetchInterval: REFRESH_MS, staleTime: 0, retry: false }
  const alive = useQuery({ ...q(systemHealth.alive), ...options })
  const ready = useQuery({ ...q(systemHealth.ready), ...options })
  const storage = useQuery({ ...q(systemHealth.storage), ...options })
  const measurements = ready.isError ? readMeasurements(ready.error) : ready.data?.parts
  const hasFailed = alive.isError || (ready.isError && !measurements)
  const refetchAll = () => Promise.all([alive.refetch(), ready.refetch(), storage.refetch()])
  return (
    <Panel
      title="System health"
      action={
        <Button size="sm" busy={alive.isFetching || ready.isFetching} onClick={() => void refetchAll()}>
          Check again
        </Button>
      }
    >
      <ul className={styles.parts} aria-live="polite">
        {buildComponents(measurements, storage.data, hasFailed).map(part => (
          <li key={part.name} className={styles.part}>
            <span>
              {part.name}
              <span className={styles.second}>{part.note}</span>
            </span>
            <Status status={healthDisplay(part.status)} />
          </li>
        ))}
      </ul>
    </Panel>
  )
}
