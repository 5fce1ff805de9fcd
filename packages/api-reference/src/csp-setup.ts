/*
 * Makes the renderer work under the portal's content security policy, which is not relaxed for this page: it forbids style
 * elements and style attributes, and requires trusted types for markup. Runs before the renderer.
 */

interface TrustedTypes {
  createPolicy(
    name: string,
    rules: { createHTML(html: string): string; createScriptURL(url: string): string | null },
  ): void
}

// The renderer's markup comes from our own API description; `script-src` still blocks inline scripts and event handlers.
const trusted = Reflect.get(globalThis, 'trustedTypes') as TrustedTypes | undefined
trusted?.createPolicy('default', {
  // Highlighted code sets the width of its line numbers in a style attribute; page.css sets a fixed width instead.
  createHTML: html => html.replaceAll(/(<code\b[^>]*?) style="[^"]*"/g, '$1'),
  createScriptURL: url => (new URL(url, location.href).origin === location.origin ? url : null),
})
// Vue would create a policy under its own name, and zod tests whether `eval` works: the browser would report both as
// violations.
Object.defineProperty(globalThis, 'trustedTypes', { value: undefined })
Reflect.set(globalThis, '__zod_globalConfig', { jitless: true })

/** Creates a stand-in for a style element. Its text goes into a constructed style sheet, which the policy allows. */
function createStyleElement(): HTMLElement {
  const element = createElement('template')
  const sheet = new CSSStyleSheet()
  Object.defineProperty(element, 'textContent', { set: (text: string) => sheet.replaceSync(text) })
  document.adoptedStyleSheets.push(sheet)
  return element
}

// The renderer's own styles are in its style sheet, but its editor inserts style elements with text.
const createElement = document.createElement.bind(document) as (
  name: string,
  options?: ElementCreationOptions,
) => HTMLElement
document.createElement = (name: string, options?: ElementCreationOptions) =>
  name === 'style' ? createStyleElement() : createElement(name, options)

// The policy forbids the style attribute, but not setting styles through the CSSOM.
const setAttribute = Element.prototype.setAttribute
Element.prototype.setAttribute = function (name, value) {
  if (name === 'style' && this instanceof HTMLElement) this.style.cssText = value
  else setAttribute.call(this, name, value)
}
