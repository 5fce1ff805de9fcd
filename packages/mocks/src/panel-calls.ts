import { errorCodes } from '@portal/contract/errors'
import { type Conditions, DEFAULT_FAILURE, MAX_DELAY_MS, type RouteName, routeNames } from './conditions.ts'
import { createElement, createSelect } from './panel-elements.ts'

const routeLabelOf = (route: RouteName) => (route === 'all' ? 'Every call' : route)
const optionsOf = (values: readonly string[]) => values.map(value => ({ value, label: routeLabelOf(value) }))

/** What a condition can do to a call; each value is the name of a field of `Conditions`. */
const effects = [
  { value: 'failures', label: 'Fails every time' },
  { value: 'once', label: 'Fails once' },
  { value: 'delays', label: 'Takes longer' },
] as const
type Effect = (typeof effects)[number]['value']

const DEFAULT_DELAY_MS = 2000

function describeConditions({
  failures,
  once,
  delays,
}: Conditions): { effect: Effect; name: RouteName; description: string }[] {
  return [
    ...Object.entries(failures).map(([name, code]) => ({
      effect: 'failures' as const,
      name,
      description: code,
    })),
    ...Object.entries(once).map(([name, code]) => ({
      effect: 'once' as const,
      name,
      description: `${code}, once`,
    })),
    ...Object.entries(delays).map(([name, wait]) => ({
      effect: 'delays' as const,
      name,
      description: `${wait} ms longer`,
    })),
  ]
}

/** Creates the select for a call. The calls that the page has made come first, because they are the ones usually chosen. */
function createCallSelect(called: readonly RouteName[]) {
  const groups = {
    '': optionsOf(['all']),
    ...(called.length > 0 && { 'Called by this page': optionsOf(called) }),
    'Other calls': optionsOf(routeNames.filter(name => !called.includes(name))),
  }
  return createSelect('Call', groups, 'all')
}

/**
 * Creates the section of the panel that lists the calls that fail or are delayed, with a form to add one. The section changes
 * `draft`, and calls `onChange` after each change.
 */
export function createCallsSection(
  draft: Conditions,
  called: readonly RouteName[],
  onChange: () => void,
): HTMLFieldSetElement {
  const route = createCallSelect(called)
  const effect = createSelect('Effect', { '': effects }, 'failures')
  const code = createSelect(
    'Response',
    { '': errorCodes.map(value => ({ value, label: value })) },
    DEFAULT_FAILURE,
  )
  const wait = createElement('input', {
    type: 'number',
    min: '0',
    max: `${MAX_DELAY_MS}`,
    value: `${DEFAULT_DELAY_MS}`,
  })
  const waitLabel = createElement(
    'label',
    { className: 'name' },
    createElement('span', {}, 'Milliseconds'),
    wait,
  )
  const add = createElement('button', { type: 'button', textContent: 'Add' })
  const list = createElement('ul', {})
  const chosenEffect = () => effects.find(({ value }) => value === effect.control.value)?.value ?? 'failures'

  function showFields() {
    const isDelay = chosenEffect() === 'delays'
    code.label.hidden = isDelay
    waitLabel.hidden = !isDelay
  }

  function draw() {
    list.replaceChildren(
      ...describeConditions(draft).map(({ effect, name, description }) => {
        const text = `${routeLabelOf(name)}: ${description}`
        const remove = createElement('button', {
          type: 'button',
          textContent: 'Remove',
          ariaLabel: `Remove ${text}`,
        })
        remove.addEventListener('click', () => {
          delete draft[effect][name]
          draw()
          add.focus()
        })
        return createElement('li', {}, createElement('span', { textContent: text }), remove)
      }),
    )
    onChange()
  }

  effect.control.addEventListener('change', showFields)
  add.addEventListener('click', () => {
    if (!wait.reportValidity()) return
    const name = route.control.value
    const chosen = chosenEffect()
    if (chosen === 'delays') draft.delays[name] = wait.valueAsNumber || 0
    else
      draft[chosen][name] = errorCodes.find(errorCode => errorCode === code.control.value) ?? DEFAULT_FAILURE
    draw()
  })
  const legend = createElement('legend', { textContent: 'Calls' })
  const row = createElement(
    'div',
    { className: 'call' },
    route.label,
    effect.label,
    code.label,
    waitLabel,
    add,
  )
  const fieldset = createElement('fieldset', {}, legend, row, list)
  showFields()
  draw()
  return fieldset
}
