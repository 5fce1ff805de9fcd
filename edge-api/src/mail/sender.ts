import { accentTone } from '@portal/format/colour'
import type { Reader } from '../db/database.ts'
import type { Ports } from '../ports.ts'
import { readSettings } from '../settings/store.ts'
import type { Sender } from './templates.ts'

/** Whose name stands on the mails, as the settings have it now. */
export async function readSender(db: Reader, { environment }: Pick<Ports, 'environment'>): Promise<Sender> {
  const { institution } = await readSettings(db)
  return {
    institution: institution.name,
    supportEmail: institution.support_email,
    publicUrl: environment.PUBLIC_URL,
    ...(institution.accent !== null && { accent: accentTone(institution.accent) }),
  }
}
