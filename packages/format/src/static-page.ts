import { telephoneHref } from './contact-link.ts'
import { formatMoney } from './money.ts'
import { formatMethods } from './payment-methods.ts'
import { type Tax, taxLabel } from './tax.ts'
import { initials } from './text.ts'

/*
 * Static pages are rendered with sample settings, once for each variant of the settings. For each request, they are filled with
 * the texts of the real settings (docs/decisions/113-static-pages.md).
 */

/** The reply of `GET /verification/settings`. */
export interface PageSettings {
  verification_fee: number
  currency: string
  tax?: (Tax & { amount: number }) | undefined
  institution: {
    name: string
    address: string
    logo: string | null
    support_email: string
    support_phones: readonly string[]
    business_hours: string
  }
  payment_methods?: readonly string[] | undefined
}

/** Returns a key for the variant of the settings: with or without a logo and a tax, and the number of telephone numbers. */
export const variantOf = ({ tax, institution }: PageSettings): string =>
  `${institution.logo ? 'logo' : 'initials'} ${tax ? 'tax' : 'no tax'} ${institution.support_phones.length}`

/** Returns the texts from the settings that pages show, by the names of their placeholders in a static page. */
export function buildTexts({ institution, ...settings }: PageSettings): Record<string, string> {
  const { verification_fee: fee, currency, tax, payment_methods: methods } = settings
  const phones = institution.support_phones.flatMap((phone, index) => [
    [`phone_${index}`, phone],
    [`tel_${index}`, telephoneHref(phone)],
  ])
  return {
    name: institution.name,
    initials: initials(institution.name),
    address: institution.address,
    email: institution.support_email,
    hours: institution.business_hours,
    ...(institution.logo && { logo: institution.logo }),
    fee: formatMoney(fee, currency),
    ...(tax && { tax: taxLabel(tax), tax_amount: formatMoney(tax.amount, currency) }),
    methods: formatMethods(methods),
    ...Object.fromEntries(phones),
  }
}

/** Replaces each `{{name}}` with the text of that name. */
export const fillTemplate = (template: string, texts: Readonly<Record<string, string>>): string =>
  template.replace(/\{\{(\w+)\}\}/g, (_, name: string) => texts[name] ?? '')
