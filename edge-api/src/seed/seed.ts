import { demoCertificates } from '@portal/fixtures/certificates'
import { demoNotifications } from '@portal/fixtures/notifications'
import { allPersonas, DEMO_PASSWORD, type Persona, personas } from '@portal/fixtures/personas'
import { demoRegisterHistory, SPARE_CERTIFICATES } from '@portal/fixtures/register-history'
import { demoVerifications } from '@portal/fixtures/verifications'
import { hashPassword } from '../accounts/passwords.ts'
import { indexUsers, sortNameOf } from '../accounts/text-store.ts'
import { chunks } from '../db/chunks.ts'
import type { Database, Reader, Tx } from '../db/database.ts'
import { users } from '../db/schema/accounts.ts'
import { certificates } from '../db/schema/certificates.ts'
import type { VerifyingCall } from '../organisations/verify.ts'
import type { Ports } from '../ports.ts'
import { insertDemoDisputes } from './disputes.ts'
import { insertDemoNotifications } from './notifications.ts'
import { writeInOrder } from './organisation-steps.ts'
import { listNewestNumbers } from './organisation-verifications.ts'
import { demoOrganisationSteps } from './organisations.ts'
import { insertDemoRefunds, listOverpayments } from './refunds.ts'
import { insertRegisterHistory, toCertificateRow } from './register-history.ts'
import { insertDemoSettings } from './settings.ts'
import { insertDemoSettlements } from './settlements.ts'
import { insertDemoUpload } from './uploads.ts'
import { insertDemoVerifications } from './verifications.ts'

const DAY = 86_400_000
const DEMO_CERTIFICATES = 1000
/** Number of certificates that the demo's organisation has verified. */
const ORGANISATION_NUMBERS = 65

async function isEmpty(db: Reader): Promise<boolean> {
  const [row] = await db.select({ id: users.id }).from(users).limit(1)
  return row === undefined
}

type UserRow = typeof users.$inferInsert

async function toUserRow(
  persona: Persona,
  { password, cost, now }: { password: string; cost: number; now: number },
): Promise<UserRow> {
  const createdAt = now - persona.joined_days_ago * DAY
  return {
    id: persona.id,
    email: persona.email,
    firstname: persona.firstname,
    middlename: persona.middlename,
    lastname: persona.lastname,
    sortName: sortNameOf(persona.lastname),
    phone: persona.phone,
    address: persona.address,
    passwordHash: await hashPassword(password, cost),
    role: persona.role,
    isEnabled: persona.is_enabled,
    verifiedAt: persona.is_verified ? createdAt : null,
    createdAt,
    updatedAt: createdAt,
  }
}

async function insertDemo(
  db: Tx,
  people: UserRow[],
  { call, now }: { call: VerifyingCall; now: number },
): Promise<void> {
  await db.insert(users).values(people)
  await indexUsers(db, people)
  await insertDemoSettings(db, now)

  const generated = demoCertificates(DEMO_CERTIFICATES + SPARE_CERTIFICATES)
  const register = generated.slice(0, DEMO_CERTIFICATES)
  const verifications = demoVerifications({ now: new Date(now), certificates: register })
  const past = demoRegisterHistory(
    generated,
    new Set(verifications.map(({ certificate_number }) => certificate_number)),
  )
  const uploadedFrom = now - 180 * DAY
  const rows = register.map((fields, position) =>
    toCertificateRow(
      { ...fields, ...past.before.get(fields.certificate_number) },
      // All certificates come from one upload, one second apart, so that lists have a definite order.
      { uploaderEmail: personas.admin.email, at: uploadedFrom + (register.length - position) * 1000 },
    ),
  )
  // Inserts the oldest first, because lists show the order of insertion.
  for (const chunk of chunks(rows.toReversed())) await db.insert(certificates).values(chunk)
  await insertDemoUpload(db, {
    register: register.toReversed(),
    startedAt: uploadedFrom,
    finishedAt: uploadedFrom + register.length * 1000,
  })
  await insertRegisterHistory(db, past, now)
  const byEmail = new Map(allPersonas.map(person => [person.email, person]))
  const overpaidMinorById = listOverpayments(verifications)
  const entries = await insertDemoVerifications(db, {
    verifications,
    overpaidMinorById,
    certificates: new Map(rows.map(row => [row.certificateNumber, row.id])),
    people: byEmail,
  })
  const usedNumbers = new Set(verifications.map(({ certificate_number }) => certificate_number))
  const unusedNumbers = register
    .map(({ certificate_number }) => certificate_number)
    .filter(number => !usedNumbers.has(number))
  const numbers = await listNewestNumbers(db, { numbers: unusedNumbers, count: ORGANISATION_NUMBERS })
  await writeInOrder(db, entries, demoOrganisationSteps({ call, numbers, now }))
  await insertDemoRefunds(db, { overpaidMinorById, approvedBy: personas.superAdmin.id })
  await insertDemoSettlements(db, { verifications, now })
  await insertDemoDisputes(db, { verifications, now })
  await insertDemoNotifications(db, {
    notifications: demoNotifications({ now: new Date(now), verifications }),
    people: byEmail,
  })
}

/**
 * Fills an empty database with the demo data or, with `SEED=none`, only with the first super admin. Does nothing if there are
 * any accounts. If several processes start in parallel, only one fills the database.
 */
export async function seed(ports: Ports, database: Database): Promise<void> {
  if (!(await isEmpty(database.read))) return
  const { SEED, SUPER_ADMIN_EMAIL, SUPER_ADMIN_PASSWORD, PASSWORD_COST: cost } = ports.environment
  const now = ports.clock.now()
  const superAdmin = { ...personas.superAdmin, email: SUPER_ADMIN_EMAIL.toLowerCase() }
  const others = allPersonas.filter(person => person !== personas.superAdmin)
  const ownOptions = { password: SUPER_ADMIN_PASSWORD, cost, now }
  const sharedOptions = { password: DEMO_PASSWORD, cost, now }
  const people = await Promise.all([
    SEED === 'demo'
      ? toUserRow(superAdmin, ownOptions)
      : toUserRow(
          {
            ...superAdmin,
            id: crypto.randomUUID(),
            firstname: 'Super',
            middlename: null,
            lastname: 'Administrator',
            phone: '',
            address: '',
            joined_days_ago: 0,
          },
          ownOptions,
        ),
    ...(SEED === 'demo' ? others.map(person => toUserRow(person, sharedOptions)) : []),
  ])
  await database.write(async tx => {
    if (!(await isEmpty(tx))) return
    if (SEED === 'demo') await insertDemo(tx, people, { call: { db: database, ports }, now })
    else await tx.insert(users).values(people)
  })
}
