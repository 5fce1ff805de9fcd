import { ApiError } from '@portal/api/error'
import { createFormControl, type UseFormReturn } from 'react-hook-form'
import { expect, test, vi } from 'vitest'
import { fieldOf, stateOf, submitWith } from './form-props.ts'

interface Values {
  note: string
}

/** Creates a form outside React. Its state is read directly from the control. */
function createForm(values: Values) {
  const { formControl, control } = createFormControl<Values>({ defaultValues: values })
  const form = { ...formControl, control } as unknown as UseFormReturn<Values, unknown, Values>
  Object.defineProperty(form, 'formState', { get: () => control._formState })
  return form
}

test('sends the form’s values once when a valid form is submitted', async () => {
  const form = createForm({ note: 'Paid twice' })
  const send = vi.fn(async () => undefined)
  await submitWith(form, send)()
  expect(send).toHaveBeenCalledExactlyOnceWith({ note: 'Paid twice' })
  expect(stateOf(form)).toMatchObject({ isSubmitting: false, failure: undefined })
})

test('shows the error of a failed call at the field that it names, or else above the fields', async () => {
  const form = createForm({ note: '' })
  const field = fieldOf(form)
  const failWith = (fields: Record<string, string>) =>
    submitWith(form, () => Promise.reject(new ApiError('Please check.', { status: 400, fields })))()
  await failWith({ note: 'Too long' })
  expect(field('note')).toMatchObject({ name: 'note', error: 'Too long' })
  expect(stateOf(form).failure).toBeUndefined()
  await failWith({})
  expect(stateOf(form).failure).toBe('Please check.')
})

test('clears the field’s error and the form’s error when the field is edited', async () => {
  const form = createForm({ note: '' })
  const field = fieldOf(form, { clearOnEdit: true })
  form.setError('note', { message: 'Too long' })
  form.setError('root.server', { message: 'Please check.' })
  await field('note').onChange({ type: 'change', target: { name: 'note', value: 'Short' } })
  expect(field('note').error).toBeUndefined()
  expect(stateOf(form).failure).toBeUndefined()
})
