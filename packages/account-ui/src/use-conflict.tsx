import type { Change } from '@portal/contract/history'
import { type ReactNode, useState } from 'react'
import type { DefaultValues, FieldValues, UseFormReturn } from 'react-hook-form'
import { Conflict, differingFields, isConflict } from './conflict.tsx'
import { showFormError } from './form-errors.ts'

/** The record after someone else changed it, and that change. */
export interface Theirs<Record> {
  record: Record
  change: Change | undefined
}

interface Options<Form extends FieldValues, Body, Stored> {
  form: UseFormReturn<Form, unknown, Body>
  /** The record when the form was opened; undefined for a new record. */
  record: Stored | undefined
  valuesOf: (record: Stored) => Form & DefaultValues<Form>
  /** Sends the body as a change to the given version of the record, and returns the saved record. */
  send: (body: Body, record: Stored | undefined) => Promise<Stored | undefined>
  fetchTheirs: () => Promise<Theirs<Stored>>
}

interface Saving<Body, Stored> {
  /** Saves the form. Returns true once it is saved; errors are shown in the form. */
  save: (body: Body, record?: Stored) => Promise<boolean>
  /** The conflict to resolve, if any; render it in the form. */
  conflict: ReactNode
  /** Uses this version as the base of the next save, after a change that `save` did not make, such as Undo. */
  continueFrom: (record: Stored) => void
}

/**
 * Saves a form as a change to the version it was opened with. If someone else changed the record in the meantime, shows both
 * versions and keeps the user's input. A change to fields that are not in the form is not a conflict.
 */
export function useConflict<Form extends FieldValues, Body, Stored>({
  form,
  record,
  valuesOf,
  send,
  fetchTheirs,
}: Options<Form, Body, Stored>): Saving<Body, Stored> {
  // The version on which the form's changes are based.
  const [baseRecord, setBaseRecord] = useState(record)
  const [theirs, setTheirs] = useState<Theirs<Stored>>()

  /** Sends the body. Retries once if the other change concerns no field of the form; otherwise shows the conflict. */
  async function attempt(body: Body, version: Stored | undefined, mayRetry: boolean): Promise<boolean> {
    try {
      const saved = await send(body, version)
      setTheirs(undefined)
      if (saved !== undefined) setBaseRecord(saved)
      return true
    } catch (error) {
      const fetched =
        version !== undefined && isConflict(error) && (await fetchTheirs().catch(() => undefined))
      if (!fetched || version === undefined) showFormError(form, error)
      else if (mayRetry && differingFields(valuesOf(version), valuesOf(fetched.record)).length === 0) {
        setBaseRecord(fetched.record)
        return await attempt(body, fetched.record, false)
      } else setTheirs(fetched)
      return false
    }
  }

  function takeTheirs({ record: current }: Theirs<Stored>) {
    form.reset(valuesOf(current))
    setBaseRecord(current)
    setTheirs(undefined)
  }

  return {
    save: (body, version = baseRecord) => attempt(body, version, true),
    continueFrom: setBaseRecord,
    conflict: theirs !== undefined && baseRecord !== undefined && (
      <Conflict
        before={valuesOf(baseRecord)}
        now={valuesOf(theirs.record)}
        mine={form.getValues()}
        change={theirs.change}
        onTakeTheirs={() => takeTheirs(theirs)}
        onSaveMine={() => {
          setBaseRecord(theirs.record)
          setTheirs(undefined)
          void form.handleSubmit(async body => {
            await attempt(body, theirs.record, true)
          })()
        }}
      />
    ),
  }
}
