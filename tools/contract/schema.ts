/** The part of JSON Schema that zod uses for the contract. */
export interface Schema {
  type?: string | string[]
  properties?: Record<string, Schema>
  required?: string[]
  additionalProperties?: boolean | Schema
  propertyNames?: Schema
  items?: Schema
  prefixItems?: Schema[]
  anyOf?: Schema[]
  oneOf?: Schema[]
  enum?: unknown[]
  const?: unknown
  minimum?: number
  maximum?: number
  minLength?: number
  maxLength?: number
  minItems?: number
  maxItems?: number
  pattern?: string
  /** True for any code of the error catalogue, to which codes may be added. */
  catalogue?: true
}

/** A difference between two schemas: its location, such as `history[].code`, and a description such as `is missing`. */
export interface Difference {
  readonly location: string
  readonly description: string
}

/**
 * Who sends the values. `sent`: the server must accept and read everything that the client sends. `received`: the client must
 * know everything that it receives, but additional fields, longer texts and larger numbers do not matter.
 */
export type Direction = 'sent' | 'received'

const joinPath = (location: string, name: string) => (location ? `${location}.${name}` : name)
const quote = (value: unknown) => JSON.stringify(value)

const typesOf = ({ type }: Schema): string[] => (type === undefined ? [] : [type].flat())

const typeOfValue = (value: unknown) =>
  value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value

/** Returns the alternatives of a schema. Each has one type, and each value of an enumeration is an alternative. */
function alternativesOf(schema: Schema): Schema[] {
  const choices = schema.anyOf ?? schema.oneOf
  if (choices) return choices.flatMap(alternativesOf)
  if (schema.enum) return schema.enum.map(value => ({ type: typeOfValue(value), const: value }))
  const types = typesOf(schema)
  return types.length > 1 ? types.map(type => ({ ...schema, type })) : [schema]
}

function nameOf(schema: Schema): string {
  if (schema.const !== undefined) return quote(schema.const)
  if (schema.catalogue) return 'an error code'
  return typesOf(schema)[0] ?? 'anything'
}

const isSameType = (a: Schema, b: Schema) =>
  nameOf({ type: typesOf(a) }) === nameOf({ type: typesOf(b) }) ||
  (typesOf(a)[0] === 'integer' && typesOf(b)[0] === 'number')

/**
 * Returns the differences that could make a value of `narrow` invalid for `wide`.
 * @param narrow the actual schema: sent by the client in a request, returned by the server in a reply
 * @param wide the expected schema
 */
export function findDifferences(
  narrow: Schema,
  wide: Schema,
  direction: Direction,
  location = '',
): Difference[] {
  const expected = alternativesOf(wide)
  if (expected.some(isAnything)) return []
  return alternativesOf(narrow).flatMap(alternative => {
    const comparisons = expected.map(other => compareAlternatives(alternative, other, direction, location))
    if (comparisons.some(differences => differences.length === 0)) return []
    const nearest = findNearest(expected, other => isSameType(alternative, other))
    return nearest
      ? compareAlternatives(alternative, nearest, direction, location)
      : [{ location, description: `may be ${nameOf(alternative)}, which is not expected` }]
  })
}

/** Returns the alternative to compare with: the only similar one, or else the only one; otherwise undefined. */
function findNearest(choices: readonly Schema[], isAlike: (choice: Schema) => boolean): Schema | undefined {
  const [first, ...others] = choices.filter(choice => choice.const === undefined && isAlike(choice))
  if (first && others.length === 0) return first
  return choices.length === 1 ? choices[0] : undefined
}

const isAnything = (schema: Schema) => Object.keys(schema).length === 0

function compareAlternatives(
  narrow: Schema,
  wide: Schema,
  direction: Direction,
  location: string,
): Difference[] {
  if (isAnything(wide)) return []
  if (isAnything(narrow)) return [{ location, description: `may be anything, not only ${nameOf(wide)}` }]
  if (!isSameType(narrow, wide))
    return [{ location, description: `may be ${nameOf(narrow)}, not ${nameOf(wide)}` }]
  if (wide.const !== undefined)
    return narrow.const === wide.const
      ? []
      : [{ location, description: `may be ${nameOf(narrow)}, not ${nameOf(wide)}` }]
  if (narrow.const !== undefined) return findMismatches(wide, narrow.const, location)
  if (wide.catalogue && !narrow.catalogue)
    return [{ location, description: 'may be more than an error code' }]
  switch (typesOf(wide)[0]) {
    case 'object':
      return compareObjects(narrow, wide, direction, location)
    case 'array':
      return compareArrays(narrow, wide, direction, location)
    default:
      return direction === 'sent' ? compareBounds(narrow, wide, location) : []
  }
}

const lowerBounds = ['minimum', 'minLength', 'minItems'] as const
const upperBounds = ['maximum', 'maxLength', 'maxItems'] as const

function compareBounds(narrow: Schema, wide: Schema, location: string): Difference[] {
  const differences: Difference[] = []
  for (const bound of lowerBounds) {
    const [actual, expected] = [narrow[bound], wide[bound]]
    if (expected !== undefined && expected > (actual ?? (bound === 'minimum' ? -Infinity : 0)))
      differences.push({ location, description: `${bound} is ${expected}, was ${actual ?? 'none'}` })
  }
  for (const bound of upperBounds) {
    const [actual, expected] = [narrow[bound], wide[bound]]
    if (expected !== undefined && expected < (actual ?? Infinity))
      differences.push({ location, description: `${bound} is ${expected}, was ${actual ?? 'none'}` })
  }
  if (wide.pattern !== undefined && wide.pattern !== narrow.pattern)
    differences.push({ location, description: `must match ${wide.pattern}` })
  return differences
}

function compareArrays(narrow: Schema, wide: Schema, direction: Direction, location: string): Difference[] {
  const differences = direction === 'sent' ? compareBounds(narrow, wide, location) : []
  const length = Math.max(narrow.prefixItems?.length ?? 0, wide.prefixItems?.length ?? 0)
  for (let index = 0; index < length; index++) {
    const [actual, expected] = [narrow, wide].map(list => list.prefixItems?.[index] ?? list.items ?? {})
    differences.push(...findDifferences(actual ?? {}, expected ?? {}, direction, `${location}[${index}]`))
  }
  if (length === 0)
    differences.push(...findDifferences(narrow.items ?? {}, wide.items ?? {}, direction, `${location}[]`))
  return differences
}

function compareObjects(narrow: Schema, wide: Schema, direction: Direction, location: string): Difference[] {
  const alwaysPresent = new Set(narrow.required)
  const missing = (wide.required ?? []).filter(name => !alwaysPresent.has(name))
  const differences = missing.map(name => {
    const isGone = narrow.properties?.[name] === undefined
    if (direction === 'sent')
      return {
        location: joinPath(location, name),
        description: isGone ? 'is required, and is not sent' : 'is required, and may be left out',
      }
    return { location: joinPath(location, name), description: isGone ? 'is gone' : 'may be missing' }
  })
  for (const [name, actual] of Object.entries(narrow.properties ?? {})) {
    const expected = wide.properties?.[name] ?? valuesOf(wide)
    if (expected) differences.push(...findDifferences(actual, expected, direction, joinPath(location, name)))
    else if (direction === 'sent')
      differences.push({ location: joinPath(location, name), description: 'is sent, and not read' })
  }
  // These schemas are records with arbitrary keys.
  const [actual, expected] = [valuesOf(narrow), valuesOf(wide)]
  if (expected && actual)
    differences.push(...findDifferences(actual, expected, direction, joinPath(location, '*')))
  else if (expected && !narrow.properties)
    differences.push({ location, description: 'is no longer a list by name' })
  if (direction === 'sent' && actual && wide.propertyNames)
    differences.push(
      ...findDifferences(narrow.propertyNames ?? {}, wide.propertyNames, direction, joinPath(location, '*')),
    )
  return differences
}

const valuesOf = ({ additionalProperties }: Schema): Schema | undefined =>
  typeof additionalProperties === 'object' ? additionalProperties : undefined

/**
 * Returns the reasons why a value does not match a schema, including lengths and sizes. Additional fields are allowed.
 */
export function findMismatches(schema: Schema, value: unknown, location = ''): Difference[] {
  const choices = alternativesOf(schema)
  const comparisons = choices.map(choice => mismatchesOfAlternative(choice, value, location))
  if (comparisons.some(differences => differences.length === 0)) return []
  const nearest = findNearest(choices, choice => isOfType(choice, value))
  return nearest
    ? mismatchesOfAlternative(nearest, value, location)
    : [{ location, description: `is ${describeValue(value)}, which is not expected` }]
}

const describeValue = (value: unknown) =>
  typeof value === 'string' && value.length <= 40 ? quote(value) : typeOfValue(value)

function isOfType(schema: Schema, value: unknown): boolean {
  const [type] = typesOf(schema)
  if (type === undefined) return true
  if (type === 'integer') return Number.isInteger(value)
  return type === typeOfValue(value)
}

function mismatchesOfAlternative(schema: Schema, value: unknown, location: string): Difference[] {
  if (!isOfType(schema, value))
    return [{ location, description: `is ${describeValue(value)}, not ${nameOf(schema)}` }]
  if (schema.const !== undefined)
    return schema.const === value
      ? []
      : [{ location, description: `is ${describeValue(value)}, not ${nameOf(schema)}` }]
  if (Array.isArray(value)) {
    const sizeMismatches = checkRange(schema, value.length, 'Items', location)
    return [
      ...sizeMismatches,
      ...value.flatMap((item, index) =>
        findMismatches(schema.prefixItems?.[index] ?? schema.items ?? {}, item, `${location}[${index}]`),
      ),
    ]
  }
  if (typeof value === 'string') {
    const matches = schema.pattern === undefined || new RegExp(schema.pattern, 'u').test(value)
    return [
      ...checkRange(schema, value.length, 'Length', location),
      ...(matches ? [] : [{ location, description: `does not match ${schema.pattern}` }]),
    ]
  }
  if (typeof value === 'number') return checkRange(schema, value, 'imum', location)
  if (typeof value === 'object' && value !== null)
    return checkFields(schema, new Map(Object.entries(value)), location)
  return []
}

function checkRange(
  schema: Schema,
  size: number,
  bound: 'Items' | 'Length' | 'imum',
  location: string,
): Difference[] {
  const [least, most] = [schema[`min${bound}`], schema[`max${bound}`]]
  if (least !== undefined && size < least)
    return [{ location, description: `is below the minimum of ${least}` }]
  if (most !== undefined && size > most) return [{ location, description: `is above the maximum of ${most}` }]
  return []
}

function checkFields(schema: Schema, value: Map<string, unknown>, location: string): Difference[] {
  const missing = (schema.required ?? []).filter(name => value.get(name) === undefined)
  return [
    ...missing.map(name => ({ location: joinPath(location, name), description: 'is missing' })),
    ...[...value].flatMap(([name, fieldValue]) => {
      const fieldSchema = schema.properties?.[name] ?? valuesOf(schema)
      return fieldSchema && fieldValue !== undefined
        ? findMismatches(fieldSchema, fieldValue, joinPath(location, name))
        : []
    }),
  ]
}
