import type { Mailer } from '../ports.ts'
import type { CapturingMailbox } from './mailbox-memory.ts'

/** Delivers every mail into a mailbox that `/mailbox` shows, where `MAIL_URL` is not set. */
export function capturingMailer(mailbox: CapturingMailbox): Mailer {
  return {
    send: mail => mailbox.add(mail),
    async check() {
      await mailbox.list(1)
    },
  }
}
