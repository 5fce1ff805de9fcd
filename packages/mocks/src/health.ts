import type { health as routes } from '@portal/contract/health'
import type { HandlersOf } from './serve.ts'

// The mocks have no database, gateway or mail server whose health they could report.
const unmeasured = { status: 'unknown', latency_ms: null } as const

export const health: HandlersOf<typeof routes> = {
  alive: ({ now }) => ({ status: 'ok', time: now.toISOString() }),
  ready: () => ({
    status: 'ok',
    parts: {
      database: unmeasured,
      gateway: unmeasured,
      mail: unmeasured,
      backup: { ...unmeasured, at: null },
    },
  }),
}
