/** The parts that the panel and the bar are made of: plain elements, for a page may be of any library. */
export function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  properties: Partial<HTMLElementTagNameMap[Name]> = {},
  ...children: (Node | string)[]
): HTMLElementTagNameMap[Name] {
  const made = Object.assign(document.createElement(name), properties)
  made.append(...children)
  return made
}

/** Radio buttons under a legend; `choose` is told of each change. */
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

/** A list to choose from, its options in groups; a group without a name is none. */
export function select(
  name: string,
  groups: Readonly<Record<string, readonly Option[]>>,
  chosen: string,
): { label: HTMLLabelElement; control: HTMLSelectElement } {
  const items = Object.entries(groups).flatMap(([label, options]) => {
    const made = options.map(({ value, label }) =>
      element('option', { value, textContent: label, selected: value === chosen }),
    )
    return label === '' ? made : [element('optgroup', { label }, ...made)]
  })
  const control = element('select', {}, ...items)
  return { label: element('label', { className: 'name' }, element('span', {}, name), control), control }
}

/** A place of its own in the page: what is inside has these styles and none of the page's. */
export function island(style: string): { host: HTMLElement; inside: ShadowRoot } {
  const host = element('div')
  const inside = host.attachShadow({ mode: 'open' })
  // A style element would be refused by pages with a content security policy.
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(style)
  inside.adoptedStyleSheets = [sheet]
  return { host, inside }
}
