import { messageOf } from '@portal/api/error'
import type { ErasureState } from '@portal/contract/account-data'
import { formatLongDate, toIsoDate } from '@portal/format/dates'
import { Alert } from '@portal/ui/alert'
import { Button } from '@portal/ui/button'
import { Skeleton } from '@portal/ui/skeleton'
import { showToast } from '@portal/ui/toast-store'
import { VisuallyHidden } from '@portal/ui/visually-hidden'
import { type UseQueryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Download } from 'lucide-react'
import { type ReactNode, useRef } from 'react'
import { LoadFailure } from './load-failure.tsx'
import { saveFile } from './save-file.ts'

const failed = (error: unknown) => showToast({ tone: 'danger', message: messageOf(error) })

interface DownloadProps {
  read: () => Promise<{ exported_at: string }>
  /** The beginning of the file's name. */
  prefix: string
  children: ReactNode
}

/** Saves everything about an account as a JSON file. */
export function DownloadData({ read, prefix, children }: DownloadProps) {
  const download = useMutation({
    mutationFn: read,
    onSuccess: data => {
      const text = JSON.stringify(data, null, 2)
      saveFile(
        new Blob([text], { type: 'application/json' }),
        `${prefix}_${toIsoDate(data.exported_at)}.json`,
      )
    },
    onError: failed,
  })
  return (
    <Button
      icon={Download}
      busy={download.isPending}
      busyLabel="Collecting…"
      onClick={() => download.mutate()}
    >
      {children}
    </Button>
  )
}

interface ErasureProps {
  query: UseQueryOptions<ErasureState>
  cancel: () => Promise<{ message: string }>
  /** The text of the alert while an erasure is due. */
  due: { title: (date: string) => string; text: string; keep: string }
  /** Shown while no erasure is due. */
  children: (state: ErasureState, show: (state: ErasureState) => void) => ReactNode
}

/** Shows the erasure of an account: if it is due, with a button that cancels it; otherwise the children. */
export function Erasure({ query, cancel, due, children }: ErasureProps) {
  const queries = useQueryClient()
  const place = useRef<HTMLDivElement>(null)
  const read = useQuery(query)
  const show = ({ due_at, open_payments, refunds_due }: ErasureState) => {
    queries.setQueryData(query.queryKey, { due_at, open_payments, refunds_due })
    // The focused button was removed with its form.
    requestAnimationFrame(() => place.current?.focus())
  }
  const keep = useMutation({ mutationFn: cancel, onError: failed })
  const { data: state } = read
  const at = state?.due_at
  return (
    <div ref={place} tabIndex={-1}>
      {state && at ? (
        <Alert
          tone="warning"
          title={due.title(formatLongDate(at))}
          actions={
            <Button
              size="sm"
              busy={keep.isPending}
              onClick={() =>
                keep.mutate(undefined, {
                  onSuccess: ({ message }) => {
                    show({ ...state, due_at: null })
                    showToast({ tone: 'success', message })
                  },
                })
              }
            >
              {due.keep}
            </Button>
          }
        >
          {due.text}
        </Alert>
      ) : state ? (
        children(state, show)
      ) : read.error ? (
        <LoadFailure query={read} />
      ) : (
        <>
          <span role="status">
            <VisuallyHidden>Loading</VisuallyHidden>
          </span>
          <Skeleton lines={3} />
        </>
      )}
    </div>
  )
}
