import { createElement, Fragment, type ReactNode, Suspense } from 'react'

interface Props {
  /** The address shown; another one starts a new page. */
  place: string
  /** Shown above the page. */
  notice: ReactNode
  fallback: ReactNode
  children: ReactNode
}

/**
 * The place of a remote's page. The shell and the commands that render static pages share it: React numbers IDs and finds
 * elements by position, so both must have the same parents. Raise `PLACE` (packages/contract) with any change.
 */
export const PagePlace = ({ place, notice, fallback, children }: Props) =>
  createElement(Fragment, null, notice, createElement(Suspense, { key: place, fallback }, children))
