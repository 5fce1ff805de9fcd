import type * as z from 'zod'

/** Summarises the validation errors of an input: the first message for each field, and the suggested certificate number. */
export function summariseIssues(issues: readonly z.core.$ZodIssue[]): {
  fields: Record<string, string>
  suggestion: string | undefined
} {
  const fields: Record<string, string> = {}
  let suggestion: string | undefined
  for (const issue of issues) {
    fields[issue.path.join('.') || 'body'] ??= issue.message
    // Filters are unions of the empty string and another schema, so their errors are nested.
    const nested = issue.code === 'invalid_union' ? issue.errors.flat() : [issue]
    for (const item of nested) {
      const found = item.code === 'custom' ? item.params?.suggestion : undefined
      if (typeof found === 'string') suggestion ??= found
    }
  }
  return { fields, suggestion }
}
