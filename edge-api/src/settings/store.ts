import { eq } from 'drizzle-orm'
import type { Reader, Tx } from '../db/database.ts'
import { settings } from '../db/schema/settings.ts'
import { type Settings, settingDefaults, settingShapes } from './rules.ts'

/** All settings; one that was never set has its default. */
export async function readSettings(db: Reader): Promise<Settings> {
  const rows = await db.select({ key: settings.key, value: settings.value }).from(settings)
  const stored = Object.fromEntries(rows.map(row => [row.key, row.value]))
  return {
    fee: settingShapes.fee.parse(stored.fee ?? settingDefaults.fee),
    policies: settingShapes.policies.parse(stored.policies ?? settingDefaults.policies),
    institution: settingShapes.institution.parse(stored.institution ?? settingDefaults.institution),
    signature: settingShapes.signature.parse(stored.signature ?? settingDefaults.signature),
  }
}

/** When a setting was last changed, in milliseconds, or null when it still has its default. */
export async function settingChangedAt(db: Reader, { key }: { key: keyof Settings }): Promise<number | null> {
  const [row] = await db.select({ at: settings.updatedAt }).from(settings).where(eq(settings.key, key))
  return row?.at ?? null
}

export async function writeSetting<Key extends keyof Settings>(
  db: Tx,
  { key, value, at, by }: { key: Key; value: Settings[Key]; at: number; by: string | null },
): Promise<void> {
  const row = { key, value, updatedAt: at, updatedBy: by }
  await db.insert(settings).values(row).onConflictDoUpdate({ target: settings.key, set: row })
}
