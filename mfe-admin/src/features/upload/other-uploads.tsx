import { q } from '@portal/api/query'
import { counted } from '@portal/format/counted'
import { formatCount } from '@portal/format/numbers'
import { Link } from '@portal/router'
import { paths } from '@portal/router/paths'
import { Alert } from '@portal/ui/alert'
import { useQuery } from '@tanstack/react-query'
import { uploads } from '../../parts/screen-endpoints.ts'
import { isUnfinished } from '../../parts/upload-report/unfinished.ts'

const POLL_MS = 2000

/** Uploads that run outside this tab, such as one started before a reload or by someone else. Older APIs may not list them. */
export function OtherUploads() {
  const list = useQuery({
    ...q(uploads.list, { query: { page: 1, per_page: 5 } }),
    refetchInterval: query => (query.state.data?.uploads?.some(isUnfinished) ? POLL_MS : false),
  })
  const unfinished = list.data?.uploads?.find(isUnfinished)
  if (!unfinished) return null
  return (
    <Alert tone="info" title="An upload is in progress">
      {unfinished.filename} by {unfinished.uploader_email}
      {unfinished.total !== null &&
        `: ${formatCount(unfinished.processed)} of ${counted(unfinished.total, 'row')}`}
      . <Link to={paths.dashboard('upload-reports')}>Follow it under Upload Reports</Link>
    </Alert>
  )
}
