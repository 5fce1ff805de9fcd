import { type PersonaName, personas } from '@portal/fixtures/personas'
import {
  type Amount,
  type Conditions,
  defaultConditions,
  loginPersonas,
  type RouteName,
  type Speed,
  writeConditions,
} from './conditions.ts'
import { createCallsSection } from './panel-calls.ts'
import { createElement, createIsolatedRoot, createRadioGroup, createSelect } from './panel-elements.ts'
import { panelStyle } from './panel-style.ts'
import type { MockMail } from './state.ts'

/** Who is signed in; `other` stands for an account that is not a persona. */
export type SignedInAs = PersonaName | 'nobody' | 'other'

export interface Panel {
  /** The current conditions. */
  conditions: Conditions
  /** Replaces the conditions. */
  apply: (next: Conditions) => void
  signedIn: () => SignedInAs
  /** Signs in as another persona, or signs out. */
  become: (persona: Exclude<SignedInAs, 'other'>) => void
  /** Deletes the data and the conditions, and starts again. */
  reset: () => void
  /** The emails that would have been sent, newest first. */
  mails: () => readonly MockMail[]
  /** Returns the full URL of a link in an email. */
  addressOf: (link: string) => string
  /** Returns the names of the routes that this page has called. */
  called: () => readonly RouteName[]
}

const speedLabels: Record<Speed, string> = {
  fast: 'Immediately',
  normal: '150 ms',
  slow: '3 s',
  never: 'Never',
}
const amountLabels: Record<Amount, string> = { some: 'Some', empty: 'None', huge: 'Many rows, long names' }
const roleLabels = { user: 'User', admin: 'Administrator', super_admin: 'Super administrator' }
const ranks = Object.keys(roleLabels)
const MAX_SHOWN_MAILS = 5
const REFRESH_MS = 1000

const personaOptions = [
  { value: 'nobody', label: 'Not signed in' },
  ...[...loginPersonas]
    .sort((a, b) => ranks.indexOf(personas[a].role) - ranks.indexOf(personas[b].role))
    .map(value => ({ value, label: personaLabel(value) })),
]

function personaLabel(name: PersonaName): string {
  const { firstname, lastname, role } = personas[name]
  return `${roleLabels[role]}: ${firstname} ${lastname}`
}

function buildMailList({ mails, addressOf }: Panel): HTMLElement[] {
  const newest = mails().slice(0, MAX_SHOWN_MAILS)
  if (newest.length === 0) return []
  const items = newest.map(({ to, subject, link }) => {
    const text = createElement('span', {}, `${to}: ${subject}`)
    const followLink = link && createElement('a', { href: addressOf(link), textContent: 'Follow link' })
    return createElement('li', {}, text, ...(followLink ? [followLink] : []))
  })
  const legend = createElement('legend', { textContent: 'Emails' })
  return [createElement('fieldset', {}, legend, createElement('ul', {}, ...items))]
}

function createForm(panel: Panel, title: string, close: () => void): HTMLFormElement {
  const { conditions, apply, reset, called } = panel
  const { failures, once, delays } = conditions
  const next: Conditions = {
    ...conditions,
    failures: { ...failures },
    once: { ...once },
    delays: { ...delays },
  }
  const address = createElement('code', {})
  const showAddress = () => {
    address.textContent = `?mocks=${writeConditions(next) || 'normal'}`
  }
  const startOver = createElement('button', { type: 'button', textContent: 'Start over' })
  startOver.addEventListener('click', () => {
    close()
    reset()
  })
  const cancel = createElement('button', { type: 'button', textContent: 'Cancel' })
  cancel.addEventListener('click', close)
  const form = createElement(
    'form',
    { method: 'dialog' },
    createElement(
      'div',
      {},
      createElement('h2', { id: 'title', textContent: title }),
      createElement('p', {}, 'How the mocked API in this page responds. Equivalent URL: ', address),
    ),
    createRadioGroup('Speed', speedLabels, conditions.speed, speed => {
      next.speed = speed
      showAddress()
    }),
    createRadioGroup('Data', amountLabels, conditions.amount, amount => {
      next.amount = amount
      showAddress()
    }),
    createCallsSection(next, called(), showAddress),
    ...buildMailList(panel),
    createElement(
      'div',
      { className: 'actions' },
      startOver,
      cancel,
      createElement('button', { type: 'submit', textContent: 'Apply' }),
    ),
  )
  form.addEventListener('submit', () => apply(next))
  return form
}

/** Creates the select that shows who is signed in, and changes it immediately. */
function createPersonaSelect({ signedIn, become }: Panel): HTMLLabelElement {
  const { label, control } = createSelect('Signed in as', { '': personaOptions }, signedIn())
  label.classList.add('who')
  control.addEventListener('change', () => {
    const persona = [...loginPersonas, 'nobody' as const].find(item => item === control.value)
    if (persona) become(persona)
  })
  const other = createElement('option', { value: 'other', textContent: 'Another account' })
  const refresh = () => {
    const current = signedIn()
    if (current === 'other') control.append(other)
    else other.remove()
    if (!control.matches(':focus')) control.value = current
  }
  refresh()
  // Poll, because `storage` events do not fire in the tab that wrote.
  setInterval(refresh, REFRESH_MS)
  return label
}

/**
 * Creates the controls of the bar: the select for the persona, and a button that opens the dialog with the other conditions.
 */
export function createControls(panel: Panel, title = 'Mocks'): HTMLElement[] {
  const open = createElement('button', { className: 'open', type: 'button', textContent: title })
  const refresh = () =>
    open.toggleAttribute(
      'data-changed',
      writeConditions({ ...panel.conditions, persona: defaultConditions.persona }) !== '',
    )
  refresh()
  // Poll, because a one-time failure disappears after its call.
  setInterval(refresh, REFRESH_MS)
  const dialog = createElement('dialog', {})
  dialog.setAttribute('aria-labelledby', 'title')
  open.addEventListener('click', () => {
    dialog.replaceChildren(createForm(panel, title, () => dialog.close()))
    dialog.showModal()
  })
  return [open, createPersonaSelect(panel), dialog]
}

/** Adds a small bar to the page for changing the persona, the speed, the amount of data and failures. For development only. */
export function showPanel(panel: Panel): void {
  const { host, shadowRoot } = createIsolatedRoot(panelStyle)
  const bar = createElement(
    'div',
    { className: 'bar', role: 'region', ariaLabel: 'Mocks' },
    ...createControls(panel),
  )
  shadowRoot.append(bar)
  document.body.append(host)
}
