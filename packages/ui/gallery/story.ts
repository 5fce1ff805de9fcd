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

/**
 * The `about` export of a file in `stories/`. Every other export except `controls` is a story: a function that shows the
 * component in one state.
 */
export interface StoryInfo {
  group: (typeof groups)[number]
  title: string
  /** When to use the component, in a sentence or two. */
  text: string
  /** Height in pixels of the frame of each story; only for stories that open over the page, such as dialogs. */
  viewportHeight?: number
}

/**
 * A control of the playground, with its initial value: a choice (a list that starts with the initial option), a switch, a
 * number or a text.
 */
export type Control = readonly string[] | boolean | number | string
export type Controls = Readonly<Record<string, Control>>

/** The props that the `controls` of a playground set. */
export type Values<C extends Controls> = {
  -readonly [Name in keyof C]: C[Name] extends readonly (infer Choice)[]
    ? Choice
    : C[Name] extends boolean
      ? boolean
      : C[Name] extends number
        ? number
        : string
}

// biome-ignore lint/suspicious/noExplicitAny: a story takes no props, but the playground takes those of its controls.
type StoryComponent = ComponentType<any>

export interface Story {
  /** The part of the URL that identifies the story. */
  id: string
  name: string
  /** Name of the story's export. */
  exportName: string
  Component: StoryComponent
  /** Controls of the playground; other stories have none. */
  controls?: Controls
}

export interface StoryFile {
  id: string
  about: StoryInfo
  stories: readonly Story[]
}

const wordsOf = (name: string) => name.replace(/(?<=[a-z0-9])(?=[A-Z])/g, ' ').toLowerCase()

/** Returns the part of the URL for the name of an export: `with-icon` for `WithIcon`. */
export const idOf = (name: string) => wordsOf(name).replaceAll(' ', '-')

/**
 * Returns the stories that a file exports: the playground first, then the others by name, which is the order of a module's
 * exports.
 */
export function toStoryFile(file: string, exported: Readonly<Record<string, unknown>>): StoryFile {
  const { about, controls, ...exportedStories } = exported
  const id = file.replace(/^\.\/|\.tsx$/g, '')
  const stories = Object.entries(exportedStories).map(([exportName, Component]) => {
    const words = wordsOf(exportName)
    return {
      id: idOf(exportName),
      name: words.charAt(0).toUpperCase() + words.slice(1),
      exportName,
      Component: Component as StoryComponent,
      ...(exportName === 'Playground' && { controls: controls as Controls }),
    }
  })
  stories.sort((a, b) => Number(b.exportName === 'Playground') - Number(a.exportName === 'Playground'))
  return { id, about: about as StoryInfo, stories }
}

/** Returns the initial values of controls as props. An empty text means that the prop is left out. */
export const initialValues = (controls: Controls): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(controls).map(([name, control]) => [name, Array.isArray(control) ? control[0] : control]),
  )

const VALUES = '#values='

/** Returns the hash for a story's URL that sets the values of its controls. */
export const valuesHash = (values: Readonly<Record<string, unknown>>) =>
  VALUES + encodeURIComponent(JSON.stringify(values))

/** Returns the values of controls that a hash contains. */
export const valuesOfHash = (hash: string): Record<string, unknown> =>
  hash.startsWith(VALUES) ? JSON.parse(decodeURIComponent(hash.slice(VALUES.length))) : {}
