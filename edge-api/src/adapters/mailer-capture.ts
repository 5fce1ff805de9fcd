import type { Clock, Mailer } from '../ports.ts'
import type { CapturingMailbox } from './mailbox-memory.ts'

/** Creates a mailer that stores every mail in the mailbox that `/mailbox` shows. Used if `MAIL_URL` is not set. */
export function captureMailer(mailbox: CapturingMailbox, clock: Clock): Mailer {
  return {
    send: mail => mailbox.add(mail, clock.now()),
    async check() {
      await mailbox.list(1)
    },
  }
}
