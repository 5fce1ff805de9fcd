import type { Mail, Mailbox } from '../ports.ts'

/** A mailbox that mail can be captured into. */
export interface CapturingMailbox extends Mailbox {
  /** @param at milliseconds since 1970, by the product's clock */
  add(mail: Mail, at: number): Promise<void>
}

/** Keeps the newest mails in this process, for runtimes without a disk. */
export function mailboxMemory(capacity = 1000): CapturingMailbox {
  const mails: (Mail & { id: string; at: number })[] = []
  return {
    async add({ to, subject, text, html }, at) {
      mails.unshift({ id: crypto.randomUUID(), at, to, subject, text, html })
      mails.length = Math.min(mails.length, capacity)
    },
    async list(limit) {
      return mails.slice(0, limit)
    },
  }
}
