/*
 * Corrects accessible names that the renderer (1.72.1) gets wrong: its `aria-label`s override the visible text of two kinds of
 * buttons, and its copy buttons have no name. Remove each part once a later version no longer needs it; the browser test runs
 * axe on the page.
 */

function correctName(button: Element): void {
  if (button.matches('.show-more, [data-testid="response-variant-picker"]'))
    button.removeAttribute('aria-label')
  if (button.matches('.group\\/copy-button')) button.setAttribute('aria-label', 'Copy')
}

/** Corrects the names of buttons below `root` as they are added. */
export function correctButtonNames(root: Element): void {
  new MutationObserver(changes => {
    for (const { addedNodes } of changes)
      for (const node of addedNodes) {
        if (!(node instanceof Element)) continue
        correctName(node)
        for (const button of node.querySelectorAll('button')) correctName(button)
      }
  }).observe(root, { childList: true, subtree: true })
}
