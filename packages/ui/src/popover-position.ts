const GAP_PX = 6
const EDGE_PX = 8

/**
 * Positions a popover below its button, or above if it only fits there. It is aligned with one edge of the button and
 * stays inside the window.
 */
export function placeBelow(popover: HTMLElement, button: HTMLElement): void {
  const rect = button.getBoundingClientRect()
  const { offsetWidth: width, offsetHeight: height } = popover
  const right = document.documentElement.clientWidth - EDGE_PX
  const left = rect.left + width <= right ? rect.left : Math.min(rect.right, right) - width
  const below = rect.bottom + GAP_PX
  const isBelow = below + height <= window.innerHeight - EDGE_PX || rect.top - GAP_PX - height < EDGE_PX
  popover.style.left = `${Math.max(EDGE_PX, left)}px`
  popover.style.top = `${isBelow ? below : rect.top - GAP_PX - height}px`
}

/** Positions a tooltip above or next to its trigger. It stays inside the window. */
export function placeTooltip(tip: HTMLElement, target: HTMLElement, side: 'top' | 'end'): void {
  const rect = target.getBoundingClientRect()
  const { offsetWidth: width, offsetHeight: height } = tip
  const right = document.documentElement.clientWidth - width - EDGE_PX
  const left = side === 'end' ? rect.right + GAP_PX : rect.left + rect.width / 2 - width / 2
  const above = rect.top - GAP_PX - height
  const top =
    side === 'end' ? rect.top + rect.height / 2 - height / 2 : above < EDGE_PX ? rect.bottom + GAP_PX : above
  tip.style.left = `${Math.max(EDGE_PX, Math.min(left, right))}px`
  tip.style.top = `${Math.max(EDGE_PX, top)}px`
}
