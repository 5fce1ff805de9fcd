import { createElement, Fragment, type ReactNode, Suspense } from 'react'

interface Props {
  /** The current path. When it changes, a new page is mounted. */
  path: string
  /** A notice above the page. */
  notice: ReactNode
  fallback: ReactNode
  children: ReactNode
}

/**
 * The elements around a remote's page. The shell and the commands that render static pages share them, because React generates
 * IDs and matches elements by their position, so the enclosing elements must be the same in both. Increment `PLACE_VERSION`
 * (packages/contract) whenever they change.
 */
export const PagePlace = ({ path, notice, fallback, children }: Props) =>
  createElement(Fragment, null, notice, createElement(Suspense, { key: path, fallback }, children))
