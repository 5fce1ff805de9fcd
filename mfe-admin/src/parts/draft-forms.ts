/* Names and versions of form drafts. They are separate from the forms, so that lists can offer drafts without loading forms. */

export const certificateDrafts = { form: 'certificate', version: 1 } as const
export const refundDrafts = { form: 'refund', version: 1 } as const

/** Returns the draft name and version for an account list, such as `user`. Each list has its own drafts. */
export const accountDrafts = (list: string) => ({ form: `account ${list}`, version: 1 })
