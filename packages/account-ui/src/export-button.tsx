import type { Download } from '@portal/api/call'
import { alertText } from '@portal/api/error'
import { toIsoDate } from '@portal/format/dates'
import { Button } from '@portal/ui/button'
import { useMutation } from '@tanstack/react-query'
import { Download as DownloadIcon } from 'lucide-react'
import { saveFile } from './save-file.ts'

interface Props {
  label?: string
  size?: 'sm'
  /** Fetches all matching rows of a list. */
  fetch: () => Promise<Download>
  /** File name without date and extension, used when the response does not provide one. */
  name: string
  /** Number of rows; an empty list shows an alert instead (specification, section 8). */
  total: number | undefined
  /** Handles an error in place of the alert. Also called with `undefined` when an export starts. */
  onFailure?: (error: unknown) => void
}

/** Button that downloads a list as a CSV file. */
export function ExportButton({ label = 'Export CSV', size, fetch, name, total, onFailure }: Props) {
  const exportMutation = useMutation({
    mutationFn: fetch,
    onMutate: () => onFailure?.(undefined),
    onSuccess: ({ blob, filename }) => saveFile(blob, filename ?? `${name}_${toIsoDate(Date.now())}.csv`),
    onError: onFailure ?? (error => window.alert(alertText(error))),
  })
  return (
    <Button
      size={size}
      icon={DownloadIcon}
      busy={exportMutation.isPending}
      busyLabel="Exporting…"
      onClick={() => (total === 0 ? window.alert('No data to export') : exportMutation.mutate())}
    >
      {label}
    </Button>
  )
}
