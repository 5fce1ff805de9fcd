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

const showFailure = (error: unknown) => showToast({ tone: 'danger', message: messageOf(error) })

interface DownloadProps {
  read: () => Promise<{ exported_at: string }>
  /** Prefix of the file name. */
  prefix: string
  children: ReactNode
}

/** Button that downloads all data about an account as a JSON file. */
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
    onError: showFailure,
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
  /** Texts of the alert that is shown while an erasure is pending; `keepLabel` labels the button that cancels the erasure. */
  pendingTexts: { title: (date: string) => string; text: string; keepLabel: string }
  /** Renders the content that is shown while no erasure is pending. */
  children: (state: ErasureState, show: (state: ErasureState) => void) => ReactNode
}

/** If the account is due to be erased, shows the date and a button that cancels the erasure; otherwise, shows the children. */
export function Erasure({ query, cancel, pendingTexts, children }: ErasureProps) {
  const queryClient = useQueryClient()
  const container = useRef<HTMLDivElement>(null)
  const read = useQuery(query)
  const show = ({ due_at, open_payments, refunds_due }: ErasureState) => {
    queryClient.setQueryData(query.queryKey, { due_at, open_payments, refunds_due })
    // The focused button was removed together with its form, so the focus moves to the container.
    requestAnimationFrame(() => container.current?.focus())
  }
  const cancelErasure = useMutation({ mutationFn: cancel, onError: showFailure })
  const { data: state } = read
  const dueAt = state?.due_at
  return (
    <div ref={container} tabIndex={-1}>
      {state && dueAt ? (
        <Alert
          tone="warning"
          title={pendingTexts.title(formatLongDate(dueAt))}
          actions={
            <Button
              size="sm"
              busy={cancelErasure.isPending}
              onClick={() =>
                cancelErasure.mutate(undefined, {
                  onSuccess: ({ message }) => {
                    show({ ...state, due_at: null })
                    showToast({ tone: 'success', message })
                  },
                })
              }
            >
              {pendingTexts.keepLabel}
            </Button>
          }
        >
          {pendingTexts.text}
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
