import './zod-setup.ts'
import * as z from 'zod'
import { route } from './route.ts'

/**
 * What a micro-frontend was doing when it failed: loading its files, being checked for compatibility, rendering a page, or
 * handling an event.
 */
export const failureStages = ['loading', 'incompatible', 'rendering', 'event'] as const
export type FailureStage = (typeof failureStages)[number]

/** The patterns for the fields are strict, so that a report cannot contain personal data or page content. */
const remote = z.string().regex(/^(?:mfe-[a-z0-9-]{1,40}|shell)$/)
const release = z.string().regex(/^[\w.-]{1,64}$/)
const errorName = z.string().regex(/^\w{1,60}$/)
const frame = z.string().regex(/^(?:\/[\w.-]{1,200}){1,6}(?::\d{1,7}:\d{1,9})?$/)

export const frontEndReport = z.object({
  /** A micro-frontend, or the shell itself. */
  remote,
  /** Absent if unknown. */
  release: release.optional(),
  stage: z.enum(failureStages),
  /** The error's class name, e.g. `TypeError`; never its message. */
  error: errorName,
  /** Stack frames within front-end files, each with line and column, innermost first. */
  frames: z.array(frame).max(5),
})
export type FrontEndReport = z.infer<typeof frontEndReport>

export const frontEnds = {
  report: route({
    method: 'POST',
    path: '/front-ends/reports',
    access: 'public',
    summary:
      'Report that a micro-frontend failed in a browser. It is logged and counted, without personal data.',
    body: frontEndReport,
    reply: z.object({ received: z.literal(true) }),
  }),
}
