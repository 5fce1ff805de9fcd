import { errorCodes } from '@portal/contract/errors'
import { type Conditions, type RouteName, routeNames, USUAL_FAILURE } from './conditions.ts'
import { element, select } from './panel-elements.ts'

const nameOf = (route: RouteName) => (route === 'all' ? 'Every call' : route)
const optionsOf = (values: readonly string[]) => values.map(value => ({ value, label: nameOf(value) }))

/**
 * Section of the panel with the chosen failures and a form to add one. The page's own calls come first, because one of
 * them is usually meant. Calls `changed` after each change.
 */
export function failuresOf(
  next: Conditions,
  called: readonly RouteName[],
  changed: () => void,
): HTMLFieldSetElement {
  const others = routeNames.filter(name => !called.includes(name))
  const groups = {
    '': optionsOf(['all']),
    ...(called.length > 0 && { 'Called by this page': optionsOf(called) }),
    'Other calls': optionsOf(others),
  }
  const route = select('Call', groups, 'all')
  const code = select('Response', { '': errorCodes.map(value => ({ value, label: value })) }, USUAL_FAILURE)
  const add = element('button', { type: 'button', textContent: 'Add failure' })
  const list = element('ul', {})

  function draw() {
    list.replaceChildren(
      ...Object.entries(next.failures).map(([name, failure]) => {
        const what = `${nameOf(name)}: ${failure}`
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
