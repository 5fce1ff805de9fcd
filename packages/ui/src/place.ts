const gap = 6
const edge = 8

/**
 * Positions a popover below its button, or above if there is more room, aligned to one of its edges and inside the
 * window.
 */
export function placeBelow(popover: HTMLElement, button: HTMLElement): void {
  const at = button.getBoundingClientRect()
  const { offsetWidth: width, offsetHeight: height } = popover
  const right = document.documentElement.clientWidth - edge
  const left = at.left + width <= right ? at.left : Math.min(at.right, right) - width
  const below = at.bottom + gap
  const fits = below + height <= window.innerHeight - edge || at.top - gap - height < edge
  popover.style.left = `${Math.max(edge, left)}px`
  popover.style.top = `${fits ? below : at.top - gap - height}px`
}

/** Positions a tooltip next to or above its trigger, inside the window. */
export function placeTip(tip: HTMLElement, target: HTMLElement, side: 'top' | 'end'): void {
  const at = target.getBoundingClientRect()
  const { offsetWidth: width, offsetHeight: height } = tip
  const right = document.documentElement.clientWidth - width - edge
  const left = side === 'end' ? at.right + gap : at.left + at.width / 2 - width / 2
  const above = at.top - gap - height
  const top = side === 'end' ? at.top + at.height / 2 - height / 2 : above < edge ? at.bottom + gap : above
  tip.style.left = `${Math.max(edge, Math.min(left, right))}px`
  tip.style.top = `${Math.max(edge, top)}px`
}
