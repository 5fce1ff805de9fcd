export type Json = Record<string, unknown>

const TIME = '2026-01-15T12:00:00.000Z'

/** Example values by field name, taken from the demo data where possible. */
const byName: Record<string, string | number> = {
  certificate_number: 'UG/2019/00123',
  certificate_numbers: 'UG/2019/00123',
  transaction_id: 'CVF250715093000A1B2C3D4',
  email: 'ada.obi@example.org',
  contact_email: 'hr@example.org',
  website: 'https://example.org',
  line1: '12 Marina',
  city: 'Lagos',
  state: 'Lagos State',
  country: 'Nigeria',
  month: '2026-01',
  low_balance_alert: 20_000,
  bank_reference: 'FT26015AB12',
  received_on: '2026-01-15',
  to_email: 'colleague@example.org',
  password: 'Correct7horse',
  current_password: 'Correct7horse',
  new_password: 'Battery8staple',
  confirm_password: 'Battery8staple',
  firstname: 'Ada',
  middlename: 'Ngozi',
  lastname: 'Obi',
  phone: '+2348012345678',
  address: 'Example Bank plc, 12 Marina, Lagos, Lagos State, Nigeria',
  code: '123456',
  token: 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl',
  course: 'B.Sc. Computer Science',
  department: 'Computer Science',
  faculty: 'Science',
  student_name: 'Ada Ngozi Obi',
  organisation: 'Example Bank plc',
  grade: 'Second Class Honours (Upper Division)',
  graduation_date: '2019-11-15',
  date: '2026-01-15',
  support_email: 'registry@example.org',
  accent: '#0e5b3f',
  opening: 'We confirm that certificate {number} was issued to {student}.',
  account_number: '0123456789',
  bank_code: '058',
  remote: 'mfe-user',
  error: 'ChunkLoadError',
  reason: 'Corrected on request of the department.',
  note: 'Letter delivered and opened by the payer.',
  support_phones: '+2348012345678',
  frames: '/mfe-user/4f2a/page.js:10:5',
  matric_number: 'CSC/15/1234',
  year_of_graduation: 2019,
  amount: 5000,
  amount_paid: 5000,
  verification_fee: 5000,
  payment_url: 'http://localhost:8081/pay/CVF250715093000A1B2C3D4',
  payment_reference: 'CVP-7F3K-9Q2M',
  authentication_date: TIME,
  created_at: TIME,
  updated_at: TIME,
  expires_at: TIME,
  issued_at: TIME,
  paid_at: TIME,
  id: '00000000-0000-4000-8000-000000000001',
  request_id: '01JX3M5E7Q9R2T4V6W8Y0Z1A3B',
  currency: 'NGN',
  page: 1,
  limit: 20,
}

const asRecord = (value: unknown): Json | undefined =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : undefined

/** Adds an example to a field if its name is known and its type fits. */
function withExample(name: string, property: Json): Json {
  const example = byName[name]
  const items = asRecord(property.items)
  if (example !== undefined && property.type === 'array' && items?.type === 'string')
    return { ...property, items: { ...items, examples: [example] } }
  const hasMatchingType =
    property.type === typeof example || (property.type === 'integer' && typeof example === 'number')
  if (example === undefined || !hasMatchingType || property.enum || 'const' in property) return property
  const { pattern, maxLength } = property
  if (typeof pattern === 'string' && !new RegExp(pattern, 'u').test(String(example))) return property
  if (typeof maxLength === 'number' && String(example).length > maxLength) return property
  return { ...property, examples: [example] }
}

/** Returns the JSON Schema with an example for every field whose name is known. */
export function withExamples(schema: Json): Json {
  return Object.fromEntries(
    Object.entries(schema).map(([key, value]) => {
      if (key === 'properties')
        return [
          key,
          Object.fromEntries(
            Object.entries(value as Json).map(([name, property]) => [
              name,
              withExample(name, withExamples(property as Json)),
            ]),
          ),
        ]
      if (Array.isArray(value)) return [key, value.map(item => (asRecord(item) ? withExamples(item) : item))]
      const inner = asRecord(value)
      return [key, inner && key !== 'default' ? withExamples(inner) : value]
    }),
  )
}

const byFormat: Record<string, string> = {
  'date-time': TIME,
  date: '2026-01-15',
  email: 'ada.obi@example.org',
  uuid: '00000000-0000-4000-8000-000000000001',
}

const edit = { selection: { filter: { course: 'Maths' } }, set: { course: 'Mathematics' } }

/** Example fields, by operation ID, that a route requires although its JSON Schema cannot express this. */
export const extraExampleFields: Record<string, Json> = {
  'registerJobs.preview': edit,
  'registerJobs.create': { ...edit, expected_count: 12 },
}

/** Returns an example that the schema accepts, with the required fields and those whose names are known. */
export function exampleOf(schema: Json, name = 'text'): unknown {
  if ('const' in schema) return schema.const
  for (const key of ['examples', 'enum'] as const) {
    const values = schema[key]
    if (Array.isArray(values)) return values[0]
  }
  if ('default' in schema) return schema.default
  const choices = schema.anyOf ?? schema.oneOf ?? schema.allOf
  if (Array.isArray(choices)) return exampleOf(choices[0], name)
  switch (schema.type) {
    case 'object': {
      const required = Array.isArray(schema.required) ? schema.required : []
      const properties = Object.entries((schema.properties ?? {}) as Record<string, Json>)
      const included = properties.filter(([name, property]) => required.includes(name) || property.examples)
      return Object.fromEntries(included.map(([name, property]) => [name, exampleOf(property, name)]))
    }
    case 'array':
      return [exampleOf((schema.items ?? {}) as Json, name)]
    case 'integer':
    case 'number':
      return Math.max(Number(schema.minimum ?? 1), 1)
    case 'boolean':
      return true
    default:
      return byName[name] ?? byFormat[String(schema.format)] ?? name.replaceAll('_', ' ')
  }
}
