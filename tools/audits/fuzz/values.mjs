// Generates values for fields: valid ones, according to the contract's schemas, and malicious ones.
import * as z from 'zod'

/** Characters that may cause problems in registers, spreadsheets and terminals. */
const unicode = ['Ọláṣẹ́ńí', '李小龍', '🎓', '\u202Etxt', 'e\u0301', '\u200b', 'İ', 'ß']

/** Strings with a meaning in a database, a page, a shell, a path or a spreadsheet. */
const maliciousTexts = [
  "' OR '1'='1",
  "'; DROP TABLE users; --",
  '" UNION ALL VALUES (1) --',
  '%_%',
  '\\',
  '<script>alert(1)</script>',
  '{{7*7}}',
  '../../../../etc/passwd',
  '=cmd|calc!A1',
  '__proto__',
  'constructor',
  '\u0000',
  'a\u0000b',
  'a\r\nSet-Cookie: a=b',
  '\u001b[31m',
  '\ud800',
  '\uffff',
  '-1',
  '1e309',
  'NaN',
  '9'.repeat(40),
  ' '.repeat(300),
  'x'.repeat(5000),
  ...unicode,
]

/** The password of all accounts of the demo and the fuzzer. */
const PASSWORD = 'Demo1234'

/** Generates text without special meaning. */
const plainText = fc => fc.stringMatching(/^[A-Z][a-z]{3,12}$/)

/** Generates text that a field accepts, plain or with special characters. */
const word = fc =>
  fc.oneof(
    fc.stringMatching(/^[A-Za-z][A-Za-z' .-]{0,30}[a-z]$/),
    fc.constantFrom(...maliciousTexts.filter(item => item.length < 50)),
  )

/** Generates valid text for a field whose schema is only a string, by the name of the field. */
const textByField = (fc, pools, word) => {
  const day = fc
    .date({ min: new Date('1950-01-01'), max: new Date('2035-01-01'), noInvalidDate: true })
    .map(date => date.toISOString().slice(0, 10))
  const email = fc.oneof(
    fc.nat(9_999_999).map(n => `fuzz-${n}@users.test`),
    ...recentValues(fc, pools, 'email'),
  )
  const password = fc.oneof(
    { weight: 3, arbitrary: fc.constant(PASSWORD) },
    fc.stringMatching(/^[A-Z][a-z]{3,12}[0-9]{4,8}$/),
  )
  const number = fc.oneof(
    fc.stringMatching(/^[A-Z]{2,3}\/20[0-2][0-9]\/[0-9]{5}$/),
    ...recentValues(fc, pools, 'certificate_number'),
  )
  const transaction = fc.oneof(
    fc.stringMatching(/^CVF[0-9]{21}$/),
    ...recentValues(fc, pools, 'transaction_id'),
  )
  const letter = fc.tuple(word, word).map(([a, b]) => `${a} {student} {number} ${b.replace(/[{}]/g, '')}`)
  const status = fc.constantFrom('paid', 'PENDING', 'failed', 'cancelled', 'success')
  return {
    email,
    support_email: email,
    phone: fc.stringMatching(/^\+234 80[0-9] 555 0[0-9]{3}$/),
    support_phones: fc.stringMatching(/^080[0-9]{8}$/),
    password,
    current_password: password,
    new_password: password,
    code: fc.stringMatching(/^[0-9]{6}$/),
    certificate_number: number,
    certificate_numbers: number,
    transaction_id: transaction,
    graduation_date: day,
    date: day,
    date_from: day,
    date_to: day,
    opening: letter,
    subject: word.map(text => text.replace(/[{}]/g, '')),
    closing: word.map(text => text.replace(/[{}]/g, '')),
    thanks: word.map(text => text.replace(/[{}]/g, '')),
    status,
    role: fc.constantFrom('user', 'admin', 'super_admin', 'user,admin'),
    admin_view: fc.constantFrom('true', 'false', '1', '0'),
    search: fc.oneof({ weight: 4, arbitrary: word }, number, email, transaction),
    q: fc.oneof({ weight: 4, arbitrary: word }, number, email, transaction),
    '': word,
  }
}

/** Generates recent values of a field from responses, if there are any. */
const recentValues = (fc, pools, name) => {
  const values = pools.get(name) ?? []
  return values.length > 0 ? [fc.constantFrom(...values)] : []
}

/**
 * Generates values for a JSON Schema.
 * @param name of the field
 * @param textFields the arbitraries for text without a pattern, by field name; that of `''` is for all other fields
 */
function fromJson(fc, json, name, textFields) {
  if (json.const !== undefined) return fc.constant(json.const)
  if (json.enum) return fc.constantFrom(...json.enum)
  if (json.anyOf) return fc.oneof(...json.anyOf.map(item => fromJson(fc, item, name, textFields)))
  if (Array.isArray(json.type))
    return fc.oneof(...json.type.map(type => fromJson(fc, { ...json, type }, name, textFields)))
  switch (json.type) {
    case 'null':
      return fc.constant(null)
    case 'boolean':
      return fc.boolean()
    case 'integer':
      return fc.oneof(
        fc.integer({ min: json.minimum, max: Math.min(json.maximum, 5) }),
        fc.integer({ min: json.minimum, max: json.maximum }),
      )
    case 'number':
      return fc.integer({ min: json.minimum * 100, max: json.maximum * 100 }).map(minor => minor / 100)
    case 'array':
      return fc.array(fromJson(fc, json.items, name, textFields), {
        minLength: json.minItems ?? 0,
        maxLength: Math.min(json.maxItems ?? 8, 8),
      })
    case 'object': {
      const fields = Object.entries(json.properties ?? {})
      const model = Object.fromEntries(
        fields.map(([key, property]) => [key, fromJson(fc, property, key, textFields)]),
      )
      return fc.record(model, { requiredKeys: json.required ?? [] })
    }
    default:
      return json.pattern ? fc.stringMatching(new RegExp(json.pattern)) : (textFields[name] ?? textFields[''])
  }
}

/**
 * Generates values that a schema of the contract almost always accepts. The field's name helps to meet rules that JSON Schema
 * cannot express.
 * @param fc fast-check
 * @param {z.ZodType} schema
 * @param {Map<string, string[]>} pools values from responses, by field name
 */
export const likelyValid = (fc, schema, pools) =>
  fromJson(
    fc,
    z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }),
    '',
    textByField(fc, pools, word(fc)),
  )

/**
 * Generates values like `likelyValid`, but with ordinary text and for a schema of the API description.
 * @param {string} name of the field, if any
 */
export const ordinaryValid = (fc, json, pools, name = '') =>
  fromJson(fc, json, name, {
    ...textByField(fc, pools, plainText(fc)),
    current_password: fc.constant(PASSWORD),
  })

/** Generates malicious text. */
export const maliciousText = fc =>
  fc.oneof(fc.constantFrom(...maliciousTexts), fc.string({ unit: 'binary', maxLength: 60 }))

/** Generates any JSON value. */
export const anything = fc =>
  fc.oneof(
    maliciousText(fc),
    fc.constantFrom(null, true, false, 0, -0, -1, 1.5, 2 ** 53, -(2 ** 63), 1e308, [], {}, [[]], [null], ''),
    fc.constant(JSON.parse('{"__proto__": {"role": "super_admin"}, "constructor": 1}')),
    fc.jsonValue({ maxDepth: 3 }),
  )

/** Generates a valid object with one error: a field has any value, is missing, or is unknown. */
export const withError = (fc, validObjects) =>
  fc
    .tuple(validObjects, fc.nat(20), anything(fc), fc.constantFrom('replace', 'drop', 'add'))
    .map(([object, index, value, change]) => {
      const keys = Object.keys(object)
      const key = keys[index % Math.max(1, keys.length)]
      if (change === 'add' || key === undefined)
        return { ...object, role: 'super_admin', is_verified: true, extra: value }
      const { [key]: _, ...others } = object
      return change === 'drop' ? others : { ...others, [key]: value }
    })
