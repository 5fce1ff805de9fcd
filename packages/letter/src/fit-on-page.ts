import { type RefObject, useEffect } from 'react'

const MIN_SCALE = 0.6
const STEP = 0.02

/**
 * Sets `--fit` on the sheet to the largest type scale at which everything fits on one page. The spacer keeps one line free,
 * because lines may break differently in print.
 */
function fitToPage(sheet: HTMLElement, spacer: HTMLElement) {
  if (sheet.clientHeight === 0) return
  for (let scale = 1; scale >= MIN_SCALE; scale -= STEP) {
    sheet.style.setProperty('--fit', scale.toFixed(2))
    const line = Number.parseFloat(getComputedStyle(spacer).fontSize)
    if (sheet.scrollHeight <= sheet.clientHeight && spacer.getBoundingClientRect().height >= line) return
  }
}

/**
 * Keeps a letter with long names and addresses on one page: scales its type on the first render, after the fonts have loaded,
 * and when its width changes.
 */
export function useFitOnPage(
  sheetRef: RefObject<HTMLElement | null>,
  spacerRef: RefObject<HTMLElement | null>,
): void {
  useEffect(() => {
    const sheet = sheetRef.current
    const spacer = spacerRef.current
    if (!sheet || !spacer) return
    let unmounted = false
    const refit = () => {
      if (!unmounted) fitToPage(sheet, spacer)
    }
    // The browser calls this as soon as the element is observed, and before each paint after a change of its size.
    const observer = new ResizeObserver(refit)
    observer.observe(sheet)
    document.fonts.ready.then(refit)
    return () => {
      unmounted = true
      observer.disconnect()
    }
  })
}
