import { queueNames, type backgroundWork as routes } from '@portal/contract/background-work'
import { requestMessages } from '@portal/rules/messages'
import { Fault } from './fault.ts'
import { paginateRows } from './paginate-rows.ts'
import type { HandlersOf } from './serve.ts'

export const backgroundWork: HandlersOf<typeof routes> = {
  list({ query, state }) {
    const delayedWork = state.delayed_work ?? []
    const { rows: work, pagination } = paginateRows(
      delayedWork.filter(({ queue }) => query.queue === undefined || queue === query.queue),
      query,
    )
    const queues = queueNames.map(queue => {
      const delayedItems = delayedWork.filter(item => item.queue === queue)
      return {
        queue,
        delayed: delayedItems.length,
        late: delayedItems.filter(({ late }) => late).length,
        oldest_at: delayedItems[0]?.since ?? null,
        untried_since: null,
      }
    })
    return { work, queues, pagination }
  },
  retry({ params, state, now }) {
    const work = state.delayed_work?.find(({ queue, item }) => queue === params.queue && item === params.item)
    if (!work) throw new Fault('NOT_FOUND', undefined, 'This work is no longer delayed.')
    work.next_at = now.toISOString()
    return { message: requestMessages.retriedSoon, work }
  },
}
