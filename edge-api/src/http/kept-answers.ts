import { addBounded } from '../bounded-map.ts'
import type { Reader } from '../db/database.ts'
import type { CellReader } from '../db/file-client.ts'
import { fileOf } from '../db/prepared.ts'

/*
 * Responses that depend on nothing but the database, as text: while a file is unchanged, the same call of the same caller needs
 * neither a query nor the schemas. A database server would have to be asked whether it has changed, so there none are kept.
 */

interface KeptAnswer {
  version: string
  text: string
  /** When the caller's token expires, in milliseconds. */
  until: number
}

/** Maximum responses kept per database, of a few kilobytes each; the oldest is dropped. */
const MOST = 500
const kept = new WeakMap<CellReader, Map<string, KeptAnswer>>()

/** A place for the response to one call. */
export interface AnswerPlace {
  /** The response, if nothing has changed since it was kept. */
  text: string | undefined
  keep(text: string, until: number): void
}

/**
 * The place of a call's response, to be asked for before anything that the response depends on is read.
 * @param name who calls, and with which token and address: everything that decides what the response is
 * @param now in milliseconds
 * @returns undefined for a database server
 */
export function answerPlace(db: Reader, name: string, now: number): AnswerPlace | undefined {
  const file = fileOf(db)
  if (!file) return undefined
  const answers = kept.get(file) ?? new Map<string, KeptAnswer>()
  kept.set(file, answers)
  const version = file.version()
  const known = answers.get(name)
  return {
    text: known && known.version === version && now < known.until ? known.text : undefined,
    keep(text, until) {
      answers.delete(name)
      addBounded(answers, name, { version, text, until }, MOST)
    },
  }
}
