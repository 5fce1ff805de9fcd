import type * as z from 'zod'

const KINDS: Record<string, string> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
}

const INVALID_VALUE = 'This value is not valid.'

const unitOf = (origin: string) =>
  ({ string: ' characters', array: ' entries', file: ' bytes' })[origin] ?? ''

/** Returns the default message of a validation error for fields without their own message in the contract. */
export function plainMessage(issue: z.core.$ZodRawIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined
        ? 'This is required.'
        : `Please give ${KINDS[issue.expected] ?? 'another kind of value'}.`
    case 'too_big':
      return `At most ${issue.maximum}${unitOf(issue.origin)}, please.`
    case 'too_small':
      return `At least ${issue.minimum}${unitOf(issue.origin)}, please.`
    case 'invalid_value':
      return `Please choose one of: ${issue.values.map(String).join(', ')}.`
    case 'unrecognized_keys':
      return `Unknown: ${issue.keys.join(', ')}.`
    case 'invalid_union':
      // A filter is a union of the empty string and its type, in this order; report the error of the type.
      return issue.errors.at(-1)?.[0]?.message ?? INVALID_VALUE
    default:
      return INVALID_VALUE
  }
}
