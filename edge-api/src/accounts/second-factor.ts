import type { secondFactor } from '@portal/contract/second-factor'
import { secondFactorMessages } from '@portal/rules/messages'
import type { Tx } from '../db/database.ts'
import type { Environment } from '../environment.ts'
import { Fault, invalidField } from '../fault.ts'
import type { Call, HandlersOf } from '../http/serve.ts'
import { countWithin, requireAllowance } from '../limits/limiter.ts'
import { recordChange } from '../logs/record-change.ts'
import { enqueueMail, sendSoon } from '../mail/outbox.ts'
import { composeSecondFactorMail } from '../mail/second-factor-mail.ts'
import { readSender } from '../mail/sender.ts'
import type { Ports } from '../ports.ts'
import { seal, unseal } from '../sealing.ts'
import { readSettings } from '../settings/store.ts'
import { requireOwnPassword } from './own-password.ts'
import {
  acceptTimeStep,
  beginSecondFactorSetUp,
  confirmSecondFactor,
  countRecoveryCodes,
  findSecondFactor,
  markRecoveryCodeUsed,
  removeSecondFactor,
  replaceRecoveryCodes,
  type SecondFactor,
} from './second-factor-store.ts'
import { deleteSessionsOf } from './session-store.ts'
import { findUser } from './store.ts'
import { buildOtpauthUrl, findTimeStep, hashRecoveryCode, newRecoveryCodes, newSecret } from './totp.ts'

const PURPOSE = 'second factor'

type Secrets = Environment['JWT_SECRETS']

/**
 * Redeems a code of an account's second factor: one from the app, or a recovery code. Runs in the transaction that the code
 * authorises, so that only one of two parallel uses succeeds.
 * @returns the kind of code, or undefined if it is wrong or already used
 */
export async function redeemCode(
  tx: Tx,
  { factor, code, secrets, now }: { factor: SecondFactor; code: string; secrets: Secrets; now: number },
): Promise<'app' | 'recovery_code' | undefined> {
  const digits = code.replace(/\s/g, '')
  if (/^\d{6}$/.test(digits)) {
    return (await redeemAppCode(tx, { factor, code: digits, secrets, now })) ? 'app' : undefined
  }
  const hash = await hashRecoveryCode(code)
  return (await markRecoveryCodeUsed(tx, { userId: factor.userId, hash, now })) ? 'recovery_code' : undefined
}

async function redeemAppCode(
  tx: Tx,
  { factor, code, secrets, now }: { factor: SecondFactor; code: string; secrets: Secrets; now: number },
): Promise<boolean> {
  const secret = String(await unseal(factor.sealedSecret, secrets, PURPOSE))
  const step = findTimeStep(secret, code, now)
  if (step === undefined) return false
  // Re-encrypts the secret with the newest key at each use, so that retired JWT secrets are soon no longer needed.
  const sealedSecret = await seal(secret, secrets, PURPOSE)
  return await acceptTimeStep(tx, { userId: factor.userId, step, sealedSecret })
}

type StaffCall = Pick<Call, 'db' | 'ports' | 'address' | 'requestId'> & {
  user: { id: string; email: string; sessionId: string }
}

const createWrongCodeFault = () => invalidField('code', secondFactorMessages.wrongCode)

/**
 * Checks the caller's code, and runs `work` in the same transaction if it is correct. Wrong codes count against the same limit
 * as wrong passwords.
 * @param isConfirmed true if the set-up of the app must already be confirmed, false if it must not be
 * @throws Fault `VALIDATION_ERROR` at the field `code`
 */
async function withCode<T>(
  call: StaffCall,
  code: string,
  { isConfirmed }: { isConfirmed: boolean },
  work: (tx: Tx, now: number) => Promise<T>,
): Promise<T> {
  const now = call.ports.clock.now()
  const secrets = call.ports.environment.JWT_SECRETS
  const limit = ['current_password', call.user.id] as const
  const outcome = await call.db.write(async tx => {
    await requireAllowance(call, ...limit, tx)
    const factor = await findSecondFactor(tx, { userId: call.user.id })
    const isExpected = factor && (factor.confirmedAt !== null) === isConfirmed
    if (isExpected && (await redeemCode(tx, { factor, code, secrets, now })))
      return { result: await work(tx, now) }
    await countWithin(tx, call, ...limit)
    return undefined
  })
  if (!outcome) throw createWrongCodeFault()
  return outcome.result
}

async function storeCodes(tx: Tx, userId: string, codes: readonly string[]): Promise<void> {
  await replaceRecoveryCodes(tx, { userId, hashes: await Promise.all(codes.map(hashRecoveryCode)) })
}

async function notifyOwner(
  tx: Tx,
  ports: Ports,
  { userId, change }: { userId: string; change: 'set_up' | 'removed' | 'reset' },
): Promise<void> {
  const user = await findUser(tx, { id: userId })
  if (user) await enqueueMail(tx, ports, composeSecondFactorMail(await readSender(tx, ports), user, change))
}

export const secondFactorHandlers: HandlersOf<typeof secondFactor> = {
  read: async ({ db, user }) => {
    const factor = await findSecondFactor(db.read, { userId: user.id })
    const { policies } = await readSettings(db.read)
    return {
      enrolled: factor !== undefined && factor.confirmedAt !== null,
      required: policies.staff_totp,
      recovery_codes_left: await countRecoveryCodes(db.read, { userId: user.id }),
    }
  },

  begin: async call => {
    const { body, user, db, ports } = call
    await requireOwnPassword(call, body.current_password)
    const secret = newSecret()
    const sealedSecret = await seal(secret, ports.environment.JWT_SECRETS, PURPOSE)
    const { institution } = await readSettings(db.read)
    await db.write(async tx => {
      const existing = await findSecondFactor(tx, { userId: user.id })
      if (existing && existing.confirmedAt !== null) throw createAlreadySetUpFault()
      await beginSecondFactorSetUp(tx, { userId: user.id, sealedSecret, now: ports.clock.now() })
    })
    return { secret, otpauth_url: buildOtpauthUrl(secret, { issuer: institution.name, email: user.email }) }
  },

  confirm: async call => {
    const { body, user, ports } = call
    const codes = newRecoveryCodes()
    await withCode(call, body.code, { isConfirmed: false }, async (tx, now) => {
      await confirmSecondFactor(tx, { userId: user.id, now })
      await storeCodes(tx, user.id, codes)
      await deleteSessionsOf(tx, { userId: user.id, exceptSessionId: user.sessionId })
      await recordChange(tx, call, { activity: 'Second factor set up', at: now })
      await notifyOwner(tx, ports, { userId: user.id, change: 'set_up' })
    })
    sendSoon(ports)
    return {
      message: secondFactorMessages.setUp,
      recovery_codes: codes,
    }
  },

  renewCodes: async call => {
    const { body, user } = call
    const codes = newRecoveryCodes()
    await withCode(call, body.code, { isConfirmed: true }, async (tx, now) => {
      await storeCodes(tx, user.id, codes)
      await recordChange(tx, call, { activity: 'Recovery codes renewed', at: now })
    })
    return {
      message: secondFactorMessages.newCodes,
      recovery_codes: codes,
    }
  },

  remove: async call => {
    const { body, user, ports } = call
    await requireOwnPassword(call, body.current_password)
    await withCode(call, body.code, { isConfirmed: true }, async (tx, now) => {
      await removeSecondFactor(tx, { userId: user.id })
      await deleteSessionsOf(tx, { userId: user.id, exceptSessionId: user.sessionId })
      await recordChange(tx, call, { activity: 'Second factor removed', at: now })
      await notifyOwner(tx, ports, { userId: user.id, change: 'removed' })
    })
    sendSoon(ports)
    return { message: secondFactorMessages.removed }
  },

  reset: async call => {
    const { params, body, user, db, ports } = call
    await requireOwnPassword(call, body.current_password)
    const now = ports.clock.now()
    await db.write(async tx => {
      const account = await findUser(tx, { id: params.id })
      if (!account || account.erasedAt !== null) throw new Fault('USER_NOT_FOUND')
      // Removing your own app requires a password and a code, so that a stolen session is not enough.
      if (account.id === user.id) throw new Fault('FORBIDDEN', { message: OWN_ACCOUNT })
      await removeSecondFactor(tx, { userId: account.id })
      await deleteSessionsOf(tx, { userId: account.id })
      await recordChange(tx, call, { activity: 'Second factor reset', details: account.email, at: now })
      await notifyOwner(tx, ports, { userId: account.id, change: 'reset' })
    })
    sendSoon(ports)
    return { message: secondFactorMessages.reset }
  },
}

const OWN_ACCOUNT = 'Remove your own authenticator app under Account Security.'

const createAlreadySetUpFault = () => invalidField('code', secondFactorMessages.alreadySetUp)
