import { q } from '@portal/api/query'
import { counted } from '@portal/format/counted'
import { formatCount } from '@portal/format/numbers'
import { Link } from '@portal/router'
import { paths } from '@portal/router/paths'
import { Alert } from '@portal/ui/alert'
import { useQuery } from '@tanstack/react-query'
import { uploads } from '../../parts/screen-endpoints.ts'

const POLL_MS = 2000

/** Uploads that run outside this tab, such as one started before a reload or by someone else. Older APIs may not list them. */
export function OtherUploads() {
  const list = useQuery({
    ...q(uploads.list, { query: { page: 1, per_page: 5 } }),
    refetchInterval: query => (query.state.data?.uploads?.some(isOpen) ? POLL_MS : false),
  })
  const open = list.data?.uploads?.find(isOpen)
  if (!open) return null
  return (
    <Alert tone="info" title="An upload is in progress">
      {open.filename} by {open.uploader_email}
      {open.total !== null && `: ${formatCount(open.processed)} of ${counted(open.total, 'row')}`}.{' '}
      <Link to={paths.dashboard('upload-reports')}>Follow it under Upload Reports</Link>
    </Alert>
  )
}

const isOpen = ({ state }: { state: string }) => state === 'receiving' || state === 'importing'
