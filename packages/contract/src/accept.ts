/**
 * Returns the weight (`q`, RFC 9110) of a media type in an `Accept` header, from 0 to 1; 0 if the header does not name the
 * type.
 */
function weightOf(type: string, accept: string): number {
  for (const range of accept.toLowerCase().split(',')) {
    const [name = '', ...parameters] = range.split(';').map(part => part.trim())
    if (name !== type) continue
    const weight = parameters.find(parameter => parameter.startsWith('q='))?.slice(2) ?? '1'
    return Number(weight) || 0
  }
  return 0
}

/** True if an `Accept` header asks for CSV and does not prefer JSON. */
export function wantsCsv(accept = ''): boolean {
  const csv = weightOf('text/csv', accept)
  return csv > 0 && csv >= weightOf('application/json', accept)
}
