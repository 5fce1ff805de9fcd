import type { ComponentType } from 'react'

/** The sections of the index, in order. */
export const groups = [
  'Foundations',
  'Actions',
  'Forms',
  'Feedback',
  'Data',
  'Navigation',
  'Overlays',
] as const

/** The `about` export of a file in `stories/`. The other exports are its states, each of which is a component. */
export interface About {
  group: (typeof groups)[number]
  title: string
  /** When to use it, in a sentence or two. */
  text: string
  /** The states open over the page, so each is shown on a separate page of this height in pixels. */
  opens?: number
}

/**
 * A control: a choice of options, a switch, a number or a text, with its initial value. A choice starts with its first option.
 */
export type Control = readonly string[] | boolean | number | string
export type Controls = Readonly<Record<string, Control>>

/** The props that `controls` describe. */
export type Values<C extends Controls> = {
  -readonly [Name in keyof C]: C[Name] extends readonly (infer Choice)[]
    ? Choice
    : C[Name] extends boolean
      ? boolean
      : C[Name] extends number
        ? number
        : string
}

// biome-ignore lint/suspicious/noExplicitAny: a state takes no props, and the playground takes those of its controls.
type State = ComponentType<any>

export interface Story {
  /** The component's part of the URL. */
  id: string
  name: string
  /** Name of the export. */
  source: string
  Component: State
  /** Only for the playground. */
  controls?: Controls
}

export interface StoryFile {
  id: string
  about: About
  stories: readonly Story[]
}

const wordsOf = (name: string) => name.replace(/(?<=[a-z0-9])(?=[A-Z])/g, ' ').toLowerCase()

/** Returns the part of the URL for an export's name: `with-icon` for `WithIcon`. */
export const idOf = (name: string) => wordsOf(name).replaceAll(' ', '-')

/**
 * Returns the states that a file exports: first the playground, then the others in the order of modules, which is by
 * name.
 */
export function storyFile(file: string, exported: Readonly<Record<string, unknown>>): StoryFile {
  const { about, controls, ...states } = exported
  const id = file.replace(/^\.\/|\.tsx$/g, '')
  const stories = Object.entries(states).map(([source, Component]) => {
    const words = wordsOf(source)
    return {
      id: idOf(source),
      name: words.charAt(0).toUpperCase() + words.slice(1),
      source,
      Component: Component as State,
      ...(source === 'Playground' && { controls: controls as Controls }),
    }
  })
  stories.sort((a, b) => Number(b.source === 'Playground') - Number(a.source === 'Playground'))
  return { id, about: about as About, stories }
}

/** Returns the initial props of controls. An empty text leaves the prop out. */
export const initialValues = (controls: Controls): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(controls).map(([name, control]) => [name, Array.isArray(control) ? control[0] : control]),
  )

const VALUES = '#values='

/** Returns the part of a state's URL that contains the values of its controls. */
export const valuesHash = (values: Readonly<Record<string, unknown>>) =>
  VALUES + encodeURIComponent(JSON.stringify(values))

/** Returns the control values in a URL. */
export const valuesIn = (hash: string): Record<string, unknown> =>
  hash.startsWith(VALUES) ? JSON.parse(decodeURIComponent(hash.slice(VALUES.length))) : {}
