import { useLocation } from '@portal/router'
import { useEffect, useRef } from 'react'

const SITE = 'Certificate Verification'

/** Sets the document's title and its description while the page is shown. `undefined` title: the site's own. */
export function usePageTitle(title: string | undefined, description: string): void {
  useEffect(() => {
    document.title = title ? `${title} · ${SITE}` : `${SITE}: check a university degree certificate`
    let meta = document.querySelector<HTMLMetaElement>('meta[name="description"]')
    if (!meta) {
      meta = document.createElement('meta')
      meta.name = 'description'
      document.head.append(meta)
    }
    meta.content = description
  }, [title, description])
}

/** Keeps a page out of search engines while it is shown: it is about one payment, letter or account. */
export function useNoIndex(): void {
  useEffect(() => {
    const meta = document.createElement('meta')
    meta.name = 'robots'
    meta.content = 'noindex'
    document.head.append(meta)
    return () => meta.remove()
  }, [])
}

/**
 * Gives the page's heading the focus when it was reached by a link inside the portal, so that a screen reader reads
 * where the person is. The first page of a visit is left to the browser.
 */
export function useArrivalFocus<E extends HTMLElement>() {
  const heading = useRef<E>(null)
  const arrived = useLocation().key !== 'default'
  const wanted = useRef(arrived && !globalThis.location?.hash)
  useEffect(() => {
    if (!wanted.current) return
    wanted.current = false
    window.scrollTo(0, 0)
    heading.current?.focus({ preventScroll: true })
  }, [])
  return heading
}
