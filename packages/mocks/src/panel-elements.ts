/** Creates an element. The panel and the bar use the plain DOM, because pages may use any library. */
export function createElement<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  properties: Partial<HTMLElementTagNameMap[Name]> = {},
  ...children: (Node | string)[]
): HTMLElementTagNameMap[Name] {
  const created = Object.assign(document.createElement(name), properties)
  created.append(...children)
  return created
}

/** Creates a group of radio buttons with a legend. `onChoose` is called when another button is selected. */
export function createRadioGroup<Value extends string>(
  legend: string,
  labels: Record<Value, string>,
  chosen: Value,
  onChoose: (value: Value) => void,
): HTMLFieldSetElement {
  const options = (Object.keys(labels) as Value[]).map(value => {
    const input = createElement('input', { type: 'radio', name: legend, value, checked: value === chosen })
    input.addEventListener('change', () => onChoose(value))
    return createElement('label', {}, input, labels[value])
  })
  const row = createElement('div', { className: 'row' }, ...options)
  return createElement('fieldset', {}, createElement('legend', { textContent: legend }), row)
}

export interface Option {
  value: string
  label: string
}

/** Creates a select with groups of options; options in a group without a name are shown without a group. */
export function createSelect(
  name: string,
  groups: Readonly<Record<string, readonly Option[]>>,
  chosen: string,
): { label: HTMLLabelElement; control: HTMLSelectElement } {
  const items = Object.entries(groups).flatMap(([label, options]) => {
    const optionElements = options.map(({ value, label }) =>
      createElement('option', { value, textContent: label, selected: value === chosen }),
    )
    return label === '' ? optionElements : [createElement('optgroup', { label }, ...optionElements)]
  })
  const control = createElement('select', {}, ...items)
  return {
    label: createElement('label', { className: 'name' }, createElement('span', {}, name), control),
    control,
  }
}

/** Creates a shadow root, so that the page's styles do not apply inside it. */
export function createIsolatedRoot(style: string): { host: HTMLElement; shadowRoot: ShadowRoot } {
  const host = createElement('div')
  const shadowRoot = host.attachShadow({ mode: 'open' })
  // Not a style element, because the page's content security policy may forbid it.
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(style)
  shadowRoot.adoptedStyleSheets = [sheet]
  return { host, shadowRoot }
}
