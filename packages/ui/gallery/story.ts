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

/** `about` of a file in `stories/`. Its other exports are the states, each a component. */
export interface About {
  group: (typeof groups)[number]
  title: string
  /** When to use it, in a sentence or two. */
  text: string
  /** The states open by themselves over the page, so each is shown on a page of its own, of this height in pixels. */
  opens?: number
}

/** A choice of several, a switch, a number or a text, with its initial value: the first one of a choice. */
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

// biome-ignore lint/suspicious/noExplicitAny: a state takes no props, and the playground those of its controls.
type State = ComponentType<any>

export interface Story {
  /** Part of the address. */
  id: string
  name: string
  /** Name of the export. */
  source: string
  Component: State
  /** Of the playground only. */
  controls?: Controls
}

export interface StoryFile {
  id: string
  about: About
  stories: readonly Story[]
}

const wordsOf = (name: string) => name.replace(/(?<=[a-z0-9])(?=[A-Z])/g, ' ').toLowerCase()

/** Returns the part of the address for the name of an export: `with-icon` for `WithIcon`. */
export const idOf = (name: string) => wordsOf(name).replaceAll(' ', '-')

/** Returns the states that a file exports: the playground, then the others by name, as modules list their exports. */
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

/** Returns the part of a state's address with the values of its controls. */
export const valuesHash = (values: Readonly<Record<string, unknown>>) =>
  VALUES + encodeURIComponent(JSON.stringify(values))

/** Returns the values in an address. */
export const valuesIn = (hash: string): Record<string, unknown> =>
  hash.startsWith(VALUES) ? JSON.parse(decodeURIComponent(hash.slice(VALUES.length))) : {}
