const gap = 6
const edge = 8

/**
 * Positions a popover below its button, or above if it only fits there. It is aligned with one edge of the button and
 * stays inside the window.
 */
export function placeBelow(popover: HTMLElement, button: HTMLElement): void {
  const rect = button.getBoundingClientRect()
  const { offsetWidth: width, offsetHeight: height } = popover
  const right = document.documentElement.clientWidth - edge
  const left = rect.left + width <= right ? rect.left : Math.min(rect.right, right) - width
  const below = rect.bottom + gap
  const fits = below + height <= window.innerHeight - edge || rect.top - gap - height < edge
  popover.style.left = `${Math.max(edge, left)}px`
  popover.style.top = `${fits ? below : rect.top - gap - height}px`
}

/** Positions a tooltip above or next to its trigger. It stays inside the window. */
export function placeTip(tip: HTMLElement, target: HTMLElement, side: 'top' | 'end'): void {
  const rect = target.getBoundingClientRect()
  const { offsetWidth: width, offsetHeight: height } = tip
  const right = document.documentElement.clientWidth - width - edge
  const left = side === 'end' ? rect.right + gap : rect.left + rect.width / 2 - width / 2
  const above = rect.top - gap - height
  const top =
    side === 'end' ? rect.top + rect.height / 2 - height / 2 : above < edge ? rect.bottom + gap : above
  tip.style.left = `${Math.max(edge, Math.min(left, right))}px`
  tip.style.top = `${Math.max(edge, top)}px`
}
