import { q } from '@portal/api/query'
import type { OwnOrganisation } from '@portal/contract/organisation-shapes'
import { counted } from '@portal/format/counted'
import { Link } from '@portal/router'
import { Panel } from '@portal/ui/panel'
import { useQuery } from '@tanstack/react-query'
import { organisationPath } from '../../parts/organisation-paths.ts'
import { batches } from '../../parts/organisation-work-endpoints.ts'
import { BatchProgress, POLL_MS } from './batch-progress.tsx'
import styles from './organisations.module.css'

/** Batches in progress; renders nothing if there are none. */
export function RunningBatches({ organisation: { id } }: { organisation: OwnOrganisation }) {
  const { data } = useQuery({
    ...q(batches.list, { params: { id }, query: { status: 'processing' } }),
    refetchInterval: ({ state }) => (state.data?.batches.length ? POLL_MS : false),
  })
  if (!data || data.batches.length === 0) return null
  return (
    <Panel title={counted(data.batches.length, ['running batch', 'running batches'])}>
      <ul className={styles.invitations}>
        {data.batches.map(batch => (
          <li key={batch.id}>
            <BatchProgress
              batch={batch}
              label={<Link to={organisationPath(id, 'batches', batch.id)}>{batch.name ?? 'Batch'}</Link>}
            />
          </li>
        ))}
      </ul>
    </Panel>
  )
}
