/// <reference path="./fontkit.d.ts" />
import { create, type Font } from 'fontkit'
import { inflateRaw } from './bytes.ts'
import { face as mono } from './faces/mono.ts'
import { face as otherSerif } from './faces/other-serif.ts'
import { face as otherSerifBold } from './faces/other-serif-bold.ts'
import { face as sans } from './faces/sans.ts'
import { face as sansBold } from './faces/sans-bold.ts'
import { face as serif } from './faces/serif.ts'
import { face as serifBold } from './faces/serif-bold.ts'

const compressed = {
  serif,
  serifBold,
  otherSerif,
  otherSerifBold,
  sans,
  sansBold,
  mono,
}
export type FaceName = keyof typeof compressed
export type Faces = Readonly<Record<FaceName, Font>>

/** The styles in which text is set. */
export type Style = 'serif' | 'serifBold' | 'sans' | 'sansBold' | 'mono'

/** The fonts of each style in order of preference; each letter is drawn in the first one that has it. */
export const fallbackChains: Readonly<Record<Style, readonly [FaceName, ...FaceName[]]>> = {
  serif: ['serif', 'otherSerif'],
  serifBold: ['serifBold', 'otherSerifBold'],
  sans: ['sans', 'serif', 'otherSerif'],
  sansBold: ['sansBold', 'serifBold', 'otherSerifBold'],
  mono: ['mono', 'serif', 'otherSerif'],
}

async function unpack(base64: string): Promise<Font> {
  return create(await inflateRaw(Uint8Array.from(atob(base64), letter => letter.charCodeAt(0))))
}

let faces: Promise<Faces> | undefined

async function unpackAll(): Promise<Faces> {
  const entries = await Promise.all(
    Object.entries(compressed).map(async ([name, base64]) => [name, await unpack(base64)] as const),
  )
  // Safe cast: the entries are those of `compressed`, which has every font.
  return Object.fromEntries(entries) as Record<FaceName, Font>
}

/** Returns all fonts, which are unpacked once per process. */
export function loadFaces(): Promise<Faces> {
  faces ??= unpackAll().catch(error => {
    faces = undefined
    throw error
  })
  return faces
}
