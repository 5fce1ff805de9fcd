import type { ReportParams } from './report-params.ts'

/** Props of every tab: the URL parameters, and how to change them. */
export interface TabProps {
  params: ReportParams
  /** Changes the parameters; returns to page 1 unless a page is given. */
  show: (change: Partial<ReportParams>, replace?: boolean) => void
  /** Resets the parameters to the tab's initial ones. */
  clear: () => void
}
