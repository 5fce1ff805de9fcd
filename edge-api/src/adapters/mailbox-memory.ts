import type { Mailbox, OutgoingMail } from '../ports.ts'

/** A mailbox that captures outgoing mail. */
export interface CapturingMailbox extends Mailbox {
  /**
   * Stores a mail, unless a mail with the same ID is already stored.
   * @param at milliseconds since 1970, by the product's clock
   */
  add(mail: OutgoingMail, at: number): Promise<void>
}

/** Creates a mailbox in the memory of this process, for runtimes without a disk. It keeps only the newest mails. */
export function mailboxMemory(capacity = 1000): CapturingMailbox {
  const mails: (OutgoingMail & { at: number })[] = []
  return {
    async add(mail, at) {
      if (mails.some(({ id }) => id === mail.id)) return
      mails.unshift({ ...mail, at })
      mails.length = Math.min(mails.length, capacity)
    },
    async list(limit) {
      return mails.slice(0, limit)
    },
  }
}
