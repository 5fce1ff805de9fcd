import { type ErrorCode, errorCodes } from '@portal/contract/errors'
import { type PersonaName, personas } from '@portal/fixtures/personas'
import {
  type Amount,
  type Conditions,
  playable,
  routeNames,
  type Speed,
  USUAL_FAILURE,
  usual,
  writeConditions,
} from './conditions.ts'
import { panelStyle } from './panel-style.ts'

interface Panel {
  /** As they are now. */
  conditions: Conditions
  apply: (next: Conditions) => void
  /** Forgets the data and the conditions. */
  reset: () => void
}

const speedLabels: Record<Speed, string> = {
  fast: 'At once',
  normal: '150 ms',
  slow: '3 s',
  never: 'Never',
}
const amountLabels: Record<Amount, string> = { some: 'Some', empty: 'None', huge: 'Much, with long names' }
const roleLabels = { user: 'user', admin: 'administrator', super_admin: 'super administrator' }

const personaLabel = (name: PersonaName) => {
  const { firstname, lastname, role } = personas[name]
  return `${firstname} ${lastname}, ${roleLabels[role]}`
}

function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  properties: Partial<HTMLElementTagNameMap[Name]> = {},
  ...children: (Node | string)[]
): HTMLElementTagNameMap[Name] {
  const made = Object.assign(document.createElement(name), properties)
  made.append(...children)
  return made
}

function choice<Value extends string>(
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

function select<Value extends string>(
  name: string,
  options: readonly { value: Value; label: string }[],
  chosen: Value,
): { label: HTMLLabelElement; control: HTMLSelectElement } {
  const items = options.map(({ value, label }) =>
    element('option', { value, textContent: label, selected: value === chosen }),
  )
  const control = element('select', {}, ...items)
  return { label: element('label', { className: 'name' }, name, control), control }
}

/** The failures chosen so far, and a way to add one. `changed` is told of each change. */
function failuresOf(next: Conditions, changed: () => void): HTMLFieldSetElement {
  const routes = ['all', ...routeNames].map(value => ({
    value,
    label: value === 'all' ? 'Every call' : value,
  }))
  const codes = errorCodes.map(value => ({ value, label: value }))
  const route = select('Call', routes, 'all')
  const code = select<ErrorCode>('Answers', codes, USUAL_FAILURE)
  const add = element('button', { type: 'button', textContent: 'Add failure' })
  const list = element('ul', {})

  function draw() {
    list.replaceChildren(
      ...Object.entries(next.failures).map(([name, failure]) => {
        const what = `${name === 'all' ? 'Every call' : name}: ${failure}`
        const remove = element('button', {
          type: 'button',
          textContent: 'Remove',
          ariaLabel: `Remove ${what}`,
        })
        remove.addEventListener('click', () => {
          delete next.failures[name]
          draw()
          add.focus()
        })
        return element('li', {}, element('span', { textContent: what }), remove)
      }),
    )
    changed()
  }

  add.addEventListener('click', () => {
    next.failures[route.control.value] = errorCodes.find(each => each === code.control.value) ?? USUAL_FAILURE
    draw()
  })
  const legend = element('legend', { textContent: 'Failures' })
  const row = element('div', { className: 'failure' }, route.label, code.label, add)
  const fieldset = element('fieldset', {}, legend, row, list)
  draw()
  return fieldset
}

function formOf({ conditions, apply, reset }: Panel, close: () => void): HTMLFormElement {
  const next: Conditions = { ...conditions, failures: { ...conditions.failures } }
  const address = element('code', {})
  const showAddress = () => {
    address.textContent = `?mocks=${writeConditions(next) || 'normal'}`
  }
  const people = [
    { value: 'nobody' as const, label: 'Nobody' },
    ...playable.map(value => ({ value, label: personaLabel(value) })),
  ]
  const persona = select('Signed in as', people, conditions.persona ?? 'nobody')
  persona.control.addEventListener('change', () => {
    next.persona = people.find(({ value }) => value === persona.control.value)?.value
    showAddress()
  })
  const anew = element('button', { type: 'button', textContent: 'Start anew' })
  anew.addEventListener('click', reset)
  const cancel = element('button', { type: 'button', textContent: 'Cancel' })
  cancel.addEventListener('click', close)
  const form = element(
    'form',
    { method: 'dialog' },
    element(
      'div',
      {},
      element('h2', { id: 'title', textContent: 'Mocks' }),
      element('p', {}, 'How the API inside this page answers. The same as an address: ', address),
    ),
    persona.label,
    choice('Answers come', speedLabels, conditions.speed, speed => {
      next.speed = speed
      showAddress()
    }),
    choice('Data', amountLabels, conditions.amount, amount => {
      next.amount = amount
      showAddress()
    }),
    failuresOf(next, showAddress),
    element(
      'div',
      { className: 'actions' },
      anew,
      cancel,
      element('button', { type: 'submit', textContent: 'Apply' }),
    ),
  )
  form.addEventListener('submit', () => apply(next))
  return form
}

/** Adds a button to the page that opens the panel: persona, speed, amount of data, failures. Development only. */
export function showPanel(panel: Panel): void {
  const host = element('div', {})
  const shadow = host.attachShadow({ mode: 'open' })
  // A style element would be refused by pages with a content security policy.
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(panelStyle)
  shadow.adoptedStyleSheets = [sheet]
  const open = element('button', { className: 'open', type: 'button', textContent: 'Mocks' })
  const { persona: _, ...rest } = panel.conditions
  open.toggleAttribute('data-changed', writeConditions({ ...rest, persona: usual.persona }) !== '')
  const dialog = element('dialog', {})
  dialog.setAttribute('aria-labelledby', 'title')
  open.addEventListener('click', () => {
    dialog.replaceChildren(formOf(panel, () => dialog.close()))
    dialog.showModal()
  })
  shadow.append(open, dialog)
  document.body.append(host)
}
