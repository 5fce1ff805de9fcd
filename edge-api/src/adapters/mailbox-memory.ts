import type { Clock, Mail, Mailbox } from '../ports.ts'

/** A mailbox that mail can be captured into. */
export interface CapturingMailbox extends Mailbox {
  add(mail: Mail): Promise<void>
}

/** Keeps the newest mails in this process, for runtimes without a disk. */
export function memoryMailbox(clock: Clock, capacity = 1000): CapturingMailbox {
  const mails: (Mail & { id: string; at: number })[] = []
  return {
    async add({ to, subject, text, html }) {
      mails.unshift({ id: crypto.randomUUID(), at: clock.now(), to, subject, text, html })
      mails.length = Math.min(mails.length, capacity)
    },
    async list(limit) {
      return mails.slice(0, limit)
    },
  }
}
