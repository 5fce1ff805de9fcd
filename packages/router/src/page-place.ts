import { createElement, Fragment, type ReactNode, Suspense } from 'react'

interface Props {
  /** The current address; when it changes, a new page is mounted. */
  place: string
  /** Shown above the page. */
  notice: ReactNode
  fallback: ReactNode
  children: ReactNode
}

/**
 * The elements around a remote's page. The shell and the commands that render static pages share them: React
 * generates IDs and matches elements by position, so the parents must be the same in both. Increment `PLACE`
 * (packages/contract) with any change.
 */
export const PagePlace = ({ place, notice, fallback, children }: Props) =>
  createElement(Fragment, null, notice, createElement(Suspense, { key: place, fallback }, children))
