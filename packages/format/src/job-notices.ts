import { counted } from './counted.ts'
import { formatCount } from './numbers.ts'

/* Notices to the authors of jobs that change many certificates. */

interface Counts {
  state: string
  changed: number
  unchanged: number
  skipped: number
}

export const jobFinishedNotice = (title: string, { state, changed, unchanged, skipped }: Counts) => ({
  kind: 'job_finished' as const,
  title: `${title} ${state === 'cancelled' ? 'cancelled' : 'finished'}`,
  body: `${[
    `${counted(changed, 'certificate')} changed`,
    unchanged > 0 && `${formatCount(unchanged)} unchanged`,
    skipped > 0 && `${formatCount(skipped)} skipped`,
  ]
    .filter(Boolean)
    .join(', ')}.`,
})

export const jobFailedNotice = (title: string) => ({
  kind: 'job_failed' as const,
  title: `${title} failed`,
  body: 'Certificates changed so far stay changed. Please open the job for details.',
})
