import type { FieldValues, Path, RegisterOptions, UseFormReturn } from 'react-hook-form'
import { showFormError } from './form-errors.ts'

/** Returns a submit handler that sends valid values and shows errors thrown by `send` in the form. */
export const submitWith = <Values extends FieldValues, Body>(
  form: UseFormReturn<Values, unknown, Body>,
  send: (values: Body) => Promise<unknown>,
) =>
  form.handleSubmit(async values => {
    try {
      await send(values)
    } catch (error) {
      showFormError(form, error)
    }
  })

/**
 * Returns a function that registers a field by name and adds its error: `<TextInput {...field('email')} />`.
 * @param clearOnEdit clears a field's error and the form's error when the field is edited; for forms that are validated only on
 * submit
 */
export const fieldOf =
  <Values extends FieldValues, Body>(
    form: UseFormReturn<Values, unknown, Body>,
    { clearOnEdit = false }: { clearOnEdit?: boolean } = {},
  ) =>
  <Name extends Path<Values>>(name: Name, options?: RegisterOptions<Values, Name>) => ({
    error: errorOf(form, name),
    ...form.register(name, { ...(clearOnEdit && { onChange: () => clear(form, name) }), ...options }),
  })

/** Returns a form's state as props for a FormDialog. */
export const stateOf = <Values extends FieldValues, Body>({
  formState: { isDirty, isSubmitting, errors },
}: UseFormReturn<Values, unknown, Body>) => ({
  isDirty,
  isSubmitting,
  failure: errors.root?.server?.message,
})

/** Returns a field's error message. Our forms have no nested fields, so each error has a message. */
const errorOf = <Values extends FieldValues, Body>(
  { formState: { errors } }: UseFormReturn<Values, unknown, Body>,
  name: Path<Values>,
) => (errors as Partial<Record<string, { message?: string }>>)[name]?.message

function clear<Values extends FieldValues, Body>(
  form: UseFormReturn<Values, unknown, Body>,
  name: Path<Values>,
): void {
  form.clearErrors(name)
  form.clearErrors('root')
}
