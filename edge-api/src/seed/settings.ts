import { demoImages } from '@portal/fixtures/demo-images'
import { DEMO_FEE_MINOR, demoFeeChanges, demoInstitution, demoSignatory } from '@portal/fixtures/institution'
import { demoBankDetails } from '@portal/fixtures/organisations'
import type { Tx } from '../db/database.ts'
import { settingChanges, settings } from '../db/schema/settings.ts'
import { insertImage } from '../settings/image-store.ts'

/** Stores the demo's settings: its institution, the signatory, and a fee that was raised several times. */
export async function insertDemoSettings(db: Tx, now: number): Promise<void> {
  const changes = demoFeeChanges(now)
  const latest = changes.at(-1)
  await db.insert(settings).values([
    {
      key: 'fee',
      value: { minor: DEMO_FEE_MINOR },
      updatedAt: latest?.at ?? now,
      updatedBy: latest?.actor.id ?? null,
    },
    {
      key: 'institution',
      value: { ...demoInstitution, bank_details: demoBankDetails },
      updatedAt: now,
      updatedBy: null,
    },
    {
      key: 'policies',
      value: { unknown_certificates: 'free', public_tracking: 'full', organisations: 'on' },
      updatedAt: now,
      updatedBy: null,
    },
    { key: 'signature', value: demoSignatory, updatedAt: now, updatedBy: null },
  ])
  for (const { hash, base64 } of Object.values(demoImages)) {
    const bytes = new Uint8Array(Buffer.from(base64, 'base64'))
    await insertImage(db, { hash, type: 'image/png', bytes, at: now })
  }
  await db.insert(settingChanges).values(
    changes.map(({ at, actor, from_minor, to_minor }) => ({
      key: 'fee',
      from: { minor: from_minor },
      to: { minor: to_minor },
      at,
      userId: actor.id,
      userEmail: actor.email,
    })),
  )
}
