import type { frontEnds } from '@portal/contract/front-ends'
import { toIsoDate } from '@portal/format/dates'
import type { HandlersOf } from '../http/serve.ts'
import { consume } from '../limits/limiter.ts'
import { countReport } from './store.ts'

export const frontEndHandlers: HandlersOf<typeof frontEnds> = {
  /**
   * Records a failure of a front end. The contract allows only names and positions in code, so the whole report may be logged.
   */
  async report(call) {
    await consume(call, 'front_end_reports', call.address)
    const { db, ports, body, requestId } = call
    const { remote, release = '', stage } = body
    ports.log({ level: 'warn', event: 'front_end_failed', request_id: requestId, ...body })
    const day = toIsoDate(ports.clock.now())
    await db.write(tx => countReport(tx, { day, remote, release, stage }))
    return { received: true }
  },
}
