/** Creates an element. The panel and the bar use the plain DOM, because pages may use any library. */
export function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  properties: Partial<HTMLElementTagNameMap[Name]> = {},
  ...children: (Node | string)[]
): HTMLElementTagNameMap[Name] {
  const created = Object.assign(document.createElement(name), properties)
  created.append(...children)
  return created
}

/** Creates a group of radio buttons with a legend. `choose` is called when another one is selected. */
export function choice<Value extends string>(
  legend: string,
  labels: Record<Value, string>,
  chosen: Value,
  choose: (value: Value) => void,
): HTMLFieldSetElement {
  const options = (Object.keys(labels) as Value[]).map(value => {
    const input = element('input', { type: 'radio', name: legend, value, checked: value === chosen })
    input.addEventListener('change', () => choose(value))
    return element('label', {}, input, labels[value])
  })
  const row = element('div', { className: 'row' }, ...options)
  return element('fieldset', {}, element('legend', { textContent: legend }), row)
}

export interface Option {
  value: string
  label: string
}

/** Creates a select with groups of options; options in a group without a name are shown without a group. */
export function select(
  name: string,
  groups: Readonly<Record<string, readonly Option[]>>,
  chosen: string,
): { label: HTMLLabelElement; control: HTMLSelectElement } {
  const items = Object.entries(groups).flatMap(([label, options]) => {
    const optionElements = options.map(({ value, label }) =>
      element('option', { value, textContent: label, selected: value === chosen }),
    )
    return label === '' ? optionElements : [element('optgroup', { label }, ...optionElements)]
  })
  const control = element('select', {}, ...items)
  return { label: element('label', { className: 'name' }, element('span', {}, name), control), control }
}

/** Creates a shadow root, so that the page's styles do not apply inside it. */
export function isolatedRoot(style: string): { host: HTMLElement; shadowRoot: ShadowRoot } {
  const host = element('div')
  const shadowRoot = host.attachShadow({ mode: 'open' })
  // Not a style element, because the page's content security policy may forbid it.
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(style)
  shadowRoot.adoptedStyleSheets = [sheet]
  return { host, shadowRoot }
}
