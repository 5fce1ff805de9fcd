import { count, desc, eq, inArray } from 'drizzle-orm'
import type { Reader, Tx } from '../db/database.ts'
import { prepareOnce } from '../db/prepared-queries.ts'
import { settingChanges, settings } from '../db/schema/settings.ts'
import { type SettingInput, type SettingKey, type Settings, settingDefaults, settingShapes } from './rules.ts'

const allQuery = prepareOnce(db => db.select({ key: settings.key, value: settings.value }).from(settings))

/** Reads all settings. One that was never set has its default value. */
export async function readSettings(db: Reader): Promise<Settings> {
  const rows = await allQuery(db).all()
  const stored = Object.fromEntries(rows.map(row => [row.key, row.value]))
  return {
    fee: settingShapes.fee.parse(stored.fee ?? settingDefaults.fee),
    tax: settingShapes.tax.parse(stored.tax ?? settingDefaults.tax),
    policies: settingShapes.policies.parse(stored.policies ?? settingDefaults.policies),
    institution: settingShapes.institution.parse(stored.institution ?? settingDefaults.institution),
    signature: settingShapes.signature.parse(stored.signature ?? settingDefaults.signature),
    letter_texts: settingShapes.letter_texts.parse(stored.letter_texts ?? settingDefaults.letter_texts),
  }
}

const policiesQuery = prepareOnce(db =>
  db.select({ value: settings.value }).from(settings).where(eq(settings.key, 'policies')),
)

/** Reads only the policies, which nearly every call by staff needs. */
export async function readPolicies(db: Reader): Promise<Settings['policies']> {
  const row = await policiesQuery(db).get()
  return settingShapes.policies.parse(row?.value ?? settingDefaults.policies)
}

/** Returns when any of these settings was last changed, in milliseconds since 1970; null if none was ever set. */
export async function settingChangedAt(db: Reader, ...keys: SettingKey[]): Promise<number | null> {
  const rows = await db.select({ key: settings.key, at: settings.updatedAt }).from(settings)
  const times = rows.filter(row => keys.some(key => key === row.key)).map(row => row.at)
  return times.length === 0 ? null : Math.max(...times)
}

/** The author of a change; null for the product itself. */
export type SettingsAuthor = { id: string; email: string } | null

/**
 * Sets a setting, and records the previous value. If the value is the same, nothing is changed or recorded.
 * @returns the setting before and after; undefined if nothing changed
 */
export async function writeSetting<Key extends SettingKey>(
  db: Tx,
  { key, value, at, author }: { key: Key; value: SettingInput<Key>; at: number; author: SettingsAuthor },
): Promise<{ from: Settings[Key]; to: Settings[Key] } | undefined> {
  const { [key]: from } = await readSettings(db)
  // The cast is safe: the schema of a key returns that key's value, which the compiler cannot see for a generic key.
  const to = settingShapes[key].parse(value) as Settings[Key]
  if (JSON.stringify(from) === JSON.stringify(to)) return undefined
  const row = { key, value: to, updatedAt: at, updatedBy: author?.id ?? null }
  await db.insert(settings).values(row).onConflictDoUpdate({ target: settings.key, set: row })
  await db
    .insert(settingChanges)
    .values({ key, from, to, at, userId: author?.id ?? null, userEmail: author?.email ?? null })
  return { from, to }
}

/** Lists all changes of these settings, oldest first; there are only a few per year. */
export async function listAllChanges(
  db: Reader,
  { keys }: { keys: readonly SettingKey[] },
): Promise<SettingChange[]> {
  return await db
    .select()
    .from(settingChanges)
    .where(inArray(settingChanges.key, [...keys]))
    .orderBy(settingChanges.id)
}

export type SettingChange = typeof settingChanges.$inferSelect

/** Returns one page of the changes of a setting, newest first, with the total. */
export async function listChanges(
  db: Reader,
  { key, page, perPage }: { key: SettingKey; page: number; perPage: number },
): Promise<{ rows: SettingChange[]; total: number }> {
  const isOfKey = eq(settingChanges.key, key)
  const rows = await db
    .select()
    .from(settingChanges)
    .where(isOfKey)
    .orderBy(desc(settingChanges.id))
    .limit(perPage)
    .offset((page - 1) * perPage)
  const [counted] = await db.select({ total: count() }).from(settingChanges).where(isOfKey)
  return { rows, total: counted?.total ?? 0 }
}
