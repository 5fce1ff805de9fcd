import { accentTone } from '@portal/format/colour'
import type { Reader } from '../db/database.ts'
import type { Ports } from '../ports.ts'
import { readSettings } from '../settings/store.ts'
import type { Sender } from './templates.ts'

/** Sender name of mails, from the current settings. */
export async function readSender(db: Reader, { environment }: Pick<Ports, 'environment'>): Promise<Sender> {
  const { institution } = await readSettings(db)
  return {
    institution: institution.name,
    supportEmail: institution.support_email,
    publicUrl: environment.PUBLIC_URL,
    ...(institution.accent !== null && { accent: accentTone(institution.accent) }),
  }
}
