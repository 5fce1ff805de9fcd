import type { Tx } from '../db/database.ts'
import type { Call } from '../http/serve.ts'
import type { Principal } from '../principal.ts'
import { describeChanges, type SettingInput, type SettingKey } from './rules.ts'
import { writeSetting } from './store.ts'

/** The parts of a call that are needed to change settings: caller, address and time. */
export type SettingCall = Pick<Call, 'db' | 'ports' | 'address' | 'requestId'> & { user: Principal }

/** Changes a setting on behalf of the caller. @returns a description of the change; empty if nothing changed */
export async function changeSetting<Key extends SettingKey>(
  tx: Tx,
  { user, ports }: SettingCall,
  key: Key,
  value: SettingInput<Key>,
): Promise<string> {
  const change = await writeSetting(tx, { key, value, at: ports.clock.now(), author: user })
  return change ? describeChanges(change.from, change.to) : ''
}
