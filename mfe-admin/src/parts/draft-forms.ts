/* Names and versions of form drafts, separate from the forms so that lists can offer drafts without loading them. */

export const certificateDrafts = { form: 'certificate', version: 1 } as const
export const refundDrafts = { form: 'refund', version: 1 } as const

/** Each account list has its own drafts: `user` and `admin`. */
export const accountDrafts = (kind: string) => ({ form: `account ${kind}`, version: 1 })
