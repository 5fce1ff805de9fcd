import { accentTone } from '@portal/format/colour'
import type { Reader } from '../db/database.ts'
import type { Ports } from '../ports.ts'
import type { Settings } from '../settings/rules.ts'
import { readSettings } from '../settings/store.ts'
import type { Sender } from './templates.ts'

/** Reads the institution as the sender of mails from the current settings. */
export const readSender = async (db: Reader, ports: Pick<Ports, 'environment'>): Promise<Sender> =>
  toSender(await readSettings(db), ports)

/** Returns the sender of mails from settings that were already read. */
export const toSender = (
  { institution }: Pick<Settings, 'institution'>,
  { environment }: Pick<Ports, 'environment'>,
): Sender => ({
  institution: institution.name,
  supportEmail: institution.support_email,
  publicUrl: environment.PUBLIC_URL,
  ...(institution.accent !== null && { accent: accentTone(institution.accent) }),
})
