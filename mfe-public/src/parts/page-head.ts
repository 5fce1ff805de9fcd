import { useLocation } from '@portal/router'
import { useEffect, useRef } from 'react'

/** Sets the page's description for search engines and previews while the page is shown. Its title comes from the route. */
export function useDescription(description: string): void {
  useEffect(() => {
    document.querySelector('meta[name="description"]')?.setAttribute('content', description)
  }, [description])
}

/** Keeps a page that is about one payment, letter or account out of search engines while it is shown. */
export function useNoIndex(enabled = true): void {
  useEffect(() => {
    if (!enabled) return
    const meta = document.createElement('meta')
    meta.name = 'robots'
    meta.content = 'noindex'
    document.head.append(meta)
    return () => meta.remove()
  }, [enabled])
}

/**
 * Focuses the page's heading if the page was reached by a link inside the portal, so that a screen reader announces it. On the
 * first page of a visit the browser announces the page; after a link with an anchor, the section gets the focus.
 */
export function useArrivalFocus<E extends HTMLElement>() {
  const heading = useRef<E>(null)
  const { key, hash, search } = useLocation()
  const focusPending = useRef(key !== 'default' && hash === '' && !search.includes('dialog='))
  useEffect(() => {
    if (!focusPending.current) return
    focusPending.current = false
    window.scrollTo(0, 0)
    heading.current?.focus({ preventScroll: true })
  }, [])
  return heading
}
