/* Names and versions of the forms whose drafts are offered above a list, apart from the rules that the forms bring. */

export const certificateDrafts = { form: 'certificate', version: 1 } as const
export const refundDrafts = { form: 'refund', version: 1 } as const

/** Each list of accounts has drafts of its own: `user` and `admin`. */
export const accountDrafts = (kind: string) => ({ form: `account ${kind}`, version: 1 })
