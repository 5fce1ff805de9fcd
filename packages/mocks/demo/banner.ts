import { createControls, type Panel } from '../src/panel.ts'
import { createElement, createIsolatedRoot } from '../src/panel-elements.ts'
import { panelStyle } from '../src/panel-style.ts'

const BANNER_TEXT =
  'Everything here is fictional: people, certificates, letters. No money moves, no email is sent, and your input stays in this browser. Try certificate UG/2019/00123.'

/** Notice on printed pages. */
const PRINT_NOTICE = 'From a demonstration with fictional data. Not a letter of any institution.'

const style = `
${panelStyle}
:host { display: block; }
.banner {
  display: flex; flex-wrap: wrap; align-items: center; gap: 0.5rem 1.5rem; padding: 0.5rem 1.5rem;
  color: var(--ink, CanvasText); background: var(--warning-wash, Canvas);
  border-block-end: 1px solid var(--warning-line, GrayText);
}
.banner p { flex: 1 1 24rem; margin: 0; color: inherit; font-size: 0.8125rem; }
.banner strong { font-weight: 700; }
.banner .bar { position: static; box-shadow: none; }
@media (width < 48rem) { .banner { padding-inline: 1rem; } }
.printed { display: none; }
@media print {
  /* Printed on every sheet, so that no letter of the demonstration can be mistaken for a real one; out of the flow,
     so that nothing moves. */
  :host { position: fixed; inset: 0 0 auto 0; z-index: 1; }
  .banner { display: none; }
  .printed { display: block; margin: 0; font-size: 8pt; text-align: center; color: #8a4b00; }
}
`

/** Shows a banner above every page. It states that this is a demonstration, and has a select for the persona. */
export function showBanner(panel: Panel): void {
  const { host, shadowRoot } = createIsolatedRoot(style)
  const words = createElement(
    'p',
    {},
    createElement('strong', { textContent: 'Demonstration.' }),
    ` ${BANNER_TEXT}`,
  )
  const bar = createElement('div', { className: 'bar' }, ...createControls(panel, 'Options'))
  const banner = createElement(
    'div',
    { className: 'banner', role: 'region', ariaLabel: 'Demonstration' },
    words,
    bar,
  )
  shadowRoot.append(banner, createElement('p', { className: 'printed', textContent: PRINT_NOTICE }))
  // Outside the body, because in print the body shows only the letter.
  document.body.before(host)
}
