import { createElement, Fragment, type ReactNode, Suspense } from 'react'

interface Props {
  /** The current address; when it changes, a new page starts. */
  place: string
  /** Shown above the page. */
  notice: ReactNode
  fallback: ReactNode
  children: ReactNode
}

/**
 * The elements around a remote's page. The shell and the commands that render static pages share them: React numbers
 * IDs and finds elements by their position, so the parents must be the same in both. Raise `PLACE` (packages/contract)
 * with any change.
 */
export const PagePlace = ({ place, notice, fallback, children }: Props) =>
  createElement(Fragment, null, notice, createElement(Suspense, { key: place, fallback }, children))
