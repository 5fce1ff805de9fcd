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

/** A difference between two schemas: its location, such as `history[].code`, and what it is. */
export interface Difference {
  readonly at: string
  readonly what: string
}

/**
 * Who sends the values. `sent`: the server must accept and read everything that the client sends. `received`: the client must
 * know everything that it receives, but additional fields, longer texts and larger numbers do not matter.
 */
export type Direction = 'sent' | 'received'

const joinPath = (at: string, name: string) => (at ? `${at}.${name}` : name)
const quote = (value: unknown) => JSON.stringify(value)

const typesOf = ({ type }: Schema): string[] => (type === undefined ? [] : [type].flat())

const typeOfValue = (value: unknown) =>
  value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value

/** Returns the alternatives of a schema. Each has one type, and each value of an enumeration is an alternative. */
function alternatives(schema: Schema): Schema[] {
  const choices = schema.anyOf ?? schema.oneOf
  if (choices) return choices.flatMap(alternatives)
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
 * Returns the differences because of which a value of `narrow` might not match `wide`.
 * @param narrow the actual schema: sent by the client in a request, returned by the server in a reply
 * @param wide the expected schema
 */
export function differences(narrow: Schema, wide: Schema, direction: Direction, at = ''): Difference[] {
  const expected = alternatives(wide)
  if (expected.some(isAnything)) return []
  return alternatives(narrow).flatMap(alternative => {
    const tried = expected.map(other => differencesOfOne(alternative, other, direction, at))
    if (tried.some(found => found.length === 0)) return []
    const nearest = findNearest(expected, other => isSameType(alternative, other))
    return nearest
      ? differencesOfOne(alternative, nearest, direction, at)
      : [{ at, what: `may be ${nameOf(alternative)}, which is not expected` }]
  })
}

/** Returns the alternative with which a difference is best described; undefined if there are several. */
function findNearest(choices: readonly Schema[], isAlike: (choice: Schema) => boolean): Schema | undefined {
  const [first, ...others] = choices.filter(choice => choice.const === undefined && isAlike(choice))
  if (first && others.length === 0) return first
  return choices.length === 1 ? choices[0] : undefined
}

const isAnything = (schema: Schema) => Object.keys(schema).length === 0

function differencesOfOne(narrow: Schema, wide: Schema, direction: Direction, at: string): Difference[] {
  if (isAnything(wide)) return []
  if (isAnything(narrow)) return [{ at, what: `may be anything, not only ${nameOf(wide)}` }]
  if (!isSameType(narrow, wide)) return [{ at, what: `may be ${nameOf(narrow)}, not ${nameOf(wide)}` }]
  if (wide.const !== undefined)
    return narrow.const === wide.const ? [] : [{ at, what: `may be ${nameOf(narrow)}, not ${nameOf(wide)}` }]
  if (narrow.const !== undefined) return conforms(wide, narrow.const, at)
  if (wide.catalogue && !narrow.catalogue) return [{ at, what: 'may be more than an error code' }]
  switch (typesOf(wide)[0]) {
    case 'object':
      return objects(narrow, wide, direction, at)
    case 'array':
      return arrays(narrow, wide, direction, at)
    default:
      return direction === 'sent' ? bounds(narrow, wide, at) : []
  }
}

const lowerBounds = ['minimum', 'minLength', 'minItems'] as const
const upper = ['maximum', 'maxLength', 'maxItems'] as const

function bounds(narrow: Schema, wide: Schema, at: string): Difference[] {
  const found: Difference[] = []
  for (const bound of lowerBounds) {
    const [own, other] = [narrow[bound], wide[bound]]
    if (other !== undefined && other > (own ?? (bound === 'minimum' ? -Infinity : 0)))
      found.push({ at, what: `${bound} is ${other}, was ${own ?? 'none'}` })
  }
  for (const bound of upper) {
    const [own, other] = [narrow[bound], wide[bound]]
    if (other !== undefined && other < (own ?? Infinity))
      found.push({ at, what: `${bound} is ${other}, was ${own ?? 'none'}` })
  }
  if (wide.pattern !== undefined && wide.pattern !== narrow.pattern)
    found.push({ at, what: `must match ${wide.pattern}` })
  return found
}

function arrays(narrow: Schema, wide: Schema, direction: Direction, at: string): Difference[] {
  const found = direction === 'sent' ? bounds(narrow, wide, at) : []
  const places = Math.max(narrow.prefixItems?.length ?? 0, wide.prefixItems?.length ?? 0)
  for (let place = 0; place < places; place++) {
    const [own, other] = [narrow, wide].map(list => list.prefixItems?.[place] ?? list.items ?? {})
    found.push(...differences(own ?? {}, other ?? {}, direction, `${at}[${place}]`))
  }
  if (places === 0) found.push(...differences(narrow.items ?? {}, wide.items ?? {}, direction, `${at}[]`))
  return found
}

function objects(narrow: Schema, wide: Schema, direction: Direction, at: string): Difference[] {
  const alwaysPresent = new Set(narrow.required)
  const missing = (wide.required ?? []).filter(name => !alwaysPresent.has(name))
  const found = missing.map(name => {
    const isGone = narrow.properties?.[name] === undefined
    if (direction === 'sent')
      return {
        at: joinPath(at, name),
        what: isGone ? 'is required, and is not sent' : 'is required, and may be left out',
      }
    return { at: joinPath(at, name), what: isGone ? 'is gone' : 'may be missing' }
  })
  for (const [name, own] of Object.entries(narrow.properties ?? {})) {
    const other = wide.properties?.[name] ?? valuesOf(wide)
    if (other) found.push(...differences(own, other, direction, joinPath(at, name)))
    else if (direction === 'sent') found.push({ at: joinPath(at, name), what: 'is sent, and not read' })
  }
  // These schemas are records with arbitrary keys.
  const [own, other] = [valuesOf(narrow), valuesOf(wide)]
  if (other && own) found.push(...differences(own, other, direction, joinPath(at, '*')))
  else if (other && !narrow.properties) found.push({ at, what: 'is no longer a list by name' })
  if (direction === 'sent' && own && wide.propertyNames)
    found.push(...differences(narrow.propertyNames ?? {}, wide.propertyNames, direction, joinPath(at, '*')))
  return found
}

const valuesOf = ({ additionalProperties }: Schema): Schema | undefined =>
  typeof additionalProperties === 'object' ? additionalProperties : undefined

/**
 * Returns the differences because of which a value does not match a schema, including lengths and sizes. Additional fields are
 * allowed.
 */
export function conforms(schema: Schema, value: unknown, at = ''): Difference[] {
  const choices = alternatives(schema)
  const tried = choices.map(choice => mismatches(choice, value, at))
  if (tried.some(found => found.length === 0)) return []
  const nearest = findNearest(choices, choice => isOfType(choice, value))
  return nearest
    ? mismatches(nearest, value, at)
    : [{ at, what: `is ${brief(value)}, which is not expected` }]
}

const brief = (value: unknown) =>
  typeof value === 'string' && value.length <= 40 ? quote(value) : typeOfValue(value)

function isOfType(schema: Schema, value: unknown): boolean {
  const [type] = typesOf(schema)
  if (type === undefined) return true
  if (type === 'integer') return Number.isInteger(value)
  return type === typeOfValue(value)
}

function mismatches(schema: Schema, value: unknown, at: string): Difference[] {
  if (!isOfType(schema, value)) return [{ at, what: `is ${brief(value)}, not ${nameOf(schema)}` }]
  if (schema.const !== undefined)
    return schema.const === value ? [] : [{ at, what: `is ${brief(value)}, not ${nameOf(schema)}` }]
  if (Array.isArray(value)) {
    const wrong = outside(schema, value.length, 'Items', at)
    return [
      ...wrong,
      ...value.flatMap((item, place) =>
        conforms(schema.prefixItems?.[place] ?? schema.items ?? {}, item, `${at}[${place}]`),
      ),
    ]
  }
  if (typeof value === 'string') {
    const matches = schema.pattern === undefined || new RegExp(schema.pattern, 'u').test(value)
    return [
      ...outside(schema, value.length, 'Length', at),
      ...(matches ? [] : [{ at, what: `does not match ${schema.pattern}` }]),
    ]
  }
  if (typeof value === 'number') return outside(schema, value, 'imum', at)
  if (typeof value === 'object' && value !== null) return fieldsOf(schema, new Map(Object.entries(value)), at)
  return []
}

function outside(schema: Schema, size: number, bound: 'Items' | 'Length' | 'imum', at: string): Difference[] {
  const [least, most] = [schema[`min${bound}`], schema[`max${bound}`]]
  if (least !== undefined && size < least) return [{ at, what: `is below the minimum of ${least}` }]
  if (most !== undefined && size > most) return [{ at, what: `is above the maximum of ${most}` }]
  return []
}

function fieldsOf(schema: Schema, value: Map<string, unknown>, at: string): Difference[] {
  const missing = (schema.required ?? []).filter(name => value.get(name) === undefined)
  return [
    ...missing.map(name => ({ at: joinPath(at, name), what: 'is missing' })),
    ...[...value].flatMap(([name, each]) => {
      const own = schema.properties?.[name] ?? valuesOf(schema)
      return own && each !== undefined ? conforms(own, each, joinPath(at, name)) : []
    }),
  ]
}
