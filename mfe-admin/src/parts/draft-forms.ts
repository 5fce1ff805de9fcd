/* Names and versions of form drafts. They are separate from the forms, so that lists can offer drafts without loading forms. */

export const certificateDrafts = { form: 'certificate', version: 1 } as const
export const refundDrafts = { form: 'refund', version: 1 } as const

/** Returns the draft name of an account list. Each list (`user` and `admin`) has its own drafts. */
export const accountDrafts = (kind: string) => ({ form: `account ${kind}`, version: 1 })
