/*
 * Makes the renderer work under the portal's content security policy, which this page does not loosen: style elements and
 * style attributes are forbidden, and markup must be trusted. Runs before the renderer.
 */

interface TrustedTypes {
  createPolicy(
    name: string,
    rules: { createHTML(html: string): string; createScriptURL(url: string): string | null },
  ): void
}

// The renderer's markup comes from our own description; `script-src` still refuses inline scripts and handlers.
const trusted = Reflect.get(globalThis, 'trustedTypes') as TrustedTypes | undefined
trusted?.createPolicy('default', {
  // Highlighted code sets the width of line numbers in an attribute; page.css has a fixed one.
  createHTML: html => html.replaceAll(/(<code\b[^>]*?) style="[^"]*"/g, '$1'),
  createScriptURL: url => (new URL(url, location.href).origin === location.origin ? url : null),
})
// Vue would create a policy under its own name, and zod probes for eval: both are reported as violations.
Object.defineProperty(globalThis, 'trustedTypes', { value: undefined })
Reflect.set(globalThis, '__zod_globalConfig', { jitless: true })

/** Replaces a style element with a constructed style sheet, which the policy allows. */
function styleElement(): HTMLElement {
  const element = create('template')
  const sheet = new CSSStyleSheet()
  Object.defineProperty(element, 'textContent', { set: (text: string) => sheet.replaceSync(text) })
  document.adoptedStyleSheets.push(sheet)
  return element
}

// The renderer's own styles are in the style sheet; those of its editor come as text.
const create = document.createElement.bind(document) as (
  name: string,
  options?: ElementCreationOptions,
) => HTMLElement
document.createElement = (name: string, options?: ElementCreationOptions) =>
  name === 'style' ? styleElement() : create(name, options)

// The policy allows the CSSOM, but not the attribute.
const set = Element.prototype.setAttribute
Element.prototype.setAttribute = function (name, value) {
  if (name === 'style' && this instanceof HTMLElement) this.style.cssText = value
  else set.call(this, name, value)
}
