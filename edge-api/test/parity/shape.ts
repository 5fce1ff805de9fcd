/** Keys whose values front ends use or show, so they must be equal, not only of the same type. */
const comparedKeys = new Set([
  'error',
  'code',
  'message',
  'status',
  'verification_status',
  'payment_status',
  'authentication_result',
  'resolution',
  'result',
  'outcome',
  'state',
  'kind',
  'title',
  'currency',
  'bpms_status',
  'status_desc',
])

/**
 * Keys of images in a letter. A value may be a string in one response and null in the other, because tests of the settings
 * upload and remove images on the shared portal.
 */
const imageKeys = new Set(['signature_image', 'stamp_image'])
const isImage = (key: string, ...values: unknown[]) =>
  imageKeys.has(key) && values.every(value => value === null || typeof value === 'string')

/** Returns a text without values that are specific to one case: IDs, numbers, addresses. */
const maskIds = (text: string) =>
  text
    .replace(/CVF[0-9A-Z]{21}/g, 'CVF…')
    .replace(/\S+@\S+/g, '…@…')
    .replace(/UG\/2018\/\w+/g, 'UG/…')

const describeType = (value: unknown) =>
  value === null ? 'null' : Array.isArray(value) ? 'a list' : value === undefined ? 'absent' : typeof value

const isRecord = (value: unknown): value is Record<string, unknown> => describeType(value) === 'object'

/**
 * Returns the differences of two responses in keys, types or wording, as `path: real | mocks`. Lists are compared by their
 * first entries. The paths in `ignoredFields` are left out. A `code` is compared only if it is an error code, which
 * contains an underscore; a letter's code is data.
 */
export function findDifferences(
  real: unknown,
  mock: unknown,
  ignoredFields: readonly string[] = [],
  path = '',
): string[] {
  const key = path.split('.').at(-1) ?? ''
  if (ignoredFields.includes(path) || isImage(key, real, mock)) return []
  if (describeType(real) !== describeType(mock))
    return [`${path}: ${describeType(real)} | ${describeType(mock)}`]
  if (Array.isArray(real) && Array.isArray(mock)) {
    if (real.length === 0 && mock.length === 0) return []
    if (real.length === 0 || mock.length === 0) return [`${path}: ${real.length} | ${mock.length} entries`]
    return findDifferences(real[0], mock[0], ignoredFields, `${path}[]`)
  }
  if (isRecord(real) && isRecord(mock)) {
    const keys = new Set([...Object.keys(real), ...Object.keys(mock)])
    return [...keys].flatMap(key =>
      findDifferences(real[key], mock[key], ignoredFields, path ? `${path}.${key}` : key),
    )
  }
  if (path === 'answered' && real !== mock) return [`answered: ${real} | ${mock}`]
  const isCompared = comparedKeys.has(key) || path.startsWith('fields.')
  if (!isCompared || typeof real !== 'string' || typeof mock !== 'string') return []
  if (key === 'code' && !/_/.test(`${real}${mock}`)) return []
  return maskIds(real) === maskIds(mock) ? [] : [`${path}: ${real} | ${mock}`]
}
