import { call } from '@portal/api/call'
import { messageOf } from '@portal/api/error'
import { q, queryKey } from '@portal/api/query'
import type { DelayedWork, QueueName } from '@portal/contract/background-work'
import { showToast } from '@portal/ui/toast-store'
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { backgroundWork } from '../../parts/screen-endpoints.ts'

/** Refetch interval while work is delayed, in milliseconds. */
const POLL_MS = 10_000
const PER_PAGE = 20

/** Fetches one page of delayed work. */
export function useDelayedWork({ queue, page }: { queue: QueueName | undefined; page: number }) {
  return useQuery({
    ...q(backgroundWork.list, { query: { ...(queue && { queue }), page, per_page: PER_PAGE } }),
    placeholderData: keepPreviousData,
    staleTime: 0,
    refetchInterval: query => ((query.state.data?.work?.length ?? 0) > 0 ? POLL_MS : false),
  })
}

/** Returns a mutation that schedules an item for the next run of its queue. */
export function useRetry() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ queue, item }: DelayedWork) => call(backgroundWork.retry, { params: { queue, item } }),
    onSuccess: ({ message }) => showToast({ tone: 'success', message }),
    onError: error => showToast({ tone: 'danger', message: messageOf(error) }),
    // A refusal means that the item is no longer delayed, so the list is refetched in that case too.
    onSettled: () => client.invalidateQueries({ queryKey: queryKey(backgroundWork.list) }),
  })
}
