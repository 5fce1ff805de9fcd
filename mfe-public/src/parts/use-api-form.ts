import { zodResolver } from '@hookform/resolvers/zod'
import { ApiError, messageOf } from '@portal/api/error'
import { useState } from 'react'
import { type DefaultValues, type FieldValues, type Path, type UseFormReturn, useForm } from 'react-hook-form'
import type * as z from 'zod'

interface Options<In extends FieldValues, Out> {
  schema: z.ZodType<Out, In>
  defaults: DefaultValues<In>
  /** Sends the schema's output; if it throws an error, the error is shown. */
  send: (values: Out) => Promise<void>
}

/** Shows the server's field errors and focuses the first one. Returns false if none of them belongs to a field of the form. */
function showAtFields<In extends FieldValues, Out>(
  form: UseFormReturn<In, unknown, Out>,
  names: readonly Path<In>[],
  fields: Readonly<Record<string, string>>,
): boolean {
  const invalid = names.filter(name => fields[name] !== undefined)
  invalid.forEach((name, index) => {
    form.setError(name, { message: fields[name] ?? '' }, { shouldFocus: index === 0 })
  })
  return invalid.length > 0
}

// The form's fields are those of its defaults; TypeScript widens the keys of an object to string.
const namesOf = <In extends FieldValues>(defaults: DefaultValues<In>) => Object.keys(defaults) as Path<In>[]

/**
 * Returns a form for one call of the API. On submit it is validated with the contract's rules, and the first invalid field gets
 * the focus. A field's error clears when the field is edited. The server's field errors are shown at the fields, and other
 * errors in `failure`.
 */
export function useApiForm<In extends FieldValues, Out>({ schema, defaults, send }: Options<In, Out>) {
  const form = useForm<In, unknown, Out>({
    resolver: zodResolver(schema),
    defaultValues: defaults,
    mode: 'onSubmit',
    reValidateMode: 'onSubmit',
  })
  const [failure, setFailure] = useState<ApiError>()
  const { errors, isSubmitting } = form.formState

  const submit = form.handleSubmit(async values => {
    setFailure(undefined)
    try {
      await send(values)
    } catch (error) {
      const apiError =
        error instanceof ApiError ? error : new ApiError(messageOf(error), { status: 0, cause: error })
      if (!showAtFields(form, namesOf(defaults), apiError.fields)) setFailure(apiError)
    }
  })

  /**
   * Returns properties for a field of the design system. Editing the field also clears the error on `dependentField`,
   * which is validated against this field.
   */
  const bind = (name: Path<In>, dependentField?: Path<In>) => {
    const message = errors[name]?.message
    return {
      ...form.register(name, {
        onChange: () => {
          form.clearErrors(name)
          // A rule about two fields is a refinement, whose errors zod calls `custom`.
          if (dependentField && errors[dependentField]?.type === 'custom') form.clearErrors(dependentField)
        },
      }),
      error: typeof message === 'string' ? message : undefined,
    }
  }

  return { form, bind, submit, busy: isSubmitting, failure, clearFailure: () => setFailure(undefined) }
}
