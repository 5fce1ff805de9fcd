/*
 * Public pages by path, with the content for search engines and for people without JavaScript. The descriptions are the same as
 * those that the pages' scripts set (`useDescription` in mfe-public).
 */

export interface PublicPage {
  title: string
  description: string
}

const pages: Record<string, PublicPage> = {
  '/': {
    title: 'Check a degree certificate',
    description:
      'Check a university degree certificate against the register, pay the fee, and receive an official verification letter to print.',
  },
  '/letters': {
    title: 'Check a letter',
    description: 'Check whether a verification letter is genuine and still valid.',
  },
  '/letters/credentials': {
    title: 'Verifiable credentials',
    description:
      'What the verifiable credential and the Open Badge that come with a verification letter are, and how to check them.',
  },
  '/track-payment': {
    title: 'Track Payment',
    description: 'Track a certificate verification payment by its transaction ID, without an account.',
  },
  '/help': {
    title: 'Help',
    description:
      'Help with verifying a certificate, paying the fee, tracking a payment, and checking a verification letter.',
  },
  '/terms': {
    title: 'Terms of use',
    description:
      'What the certificate verification service promises, what it asks of you, and what happens to the fee.',
  },
  '/privacy': {
    title: 'Privacy',
    description:
      'What the certificate verification service keeps about you and about graduates, why, and what you can ask for.',
  },
}

/** Paths and titles of all public pages, in the order of the sitemap. */
export const publicPageLinks = Object.entries(pages).map(([path, { title }]) => ({ path, title }))

/** Returns the public page at this address; undefined for any other page, or if the address contains a code or an ID. */
export function findPublicPage({ pathname, searchParams }: URL): (PublicPage & { path: string }) | undefined {
  const path = pathname.length > 1 ? pathname.replace(/\/$/, '') : pathname
  const page = Object.hasOwn(pages, path) ? pages[path] : undefined
  return page && !searchParams.has('id') ? { ...page, path } : undefined
}

/** Matches paths of pages whose address may contain a secret, a code or an ID. */
const PRIVATE_PATHS = /^\/(?:verify-email|reset-password|track-payment|letters)\b/

/** True if the address may contain a secret, which must not be sent in the Referer header. */
export const mayContainSecret = ({ pathname }: URL): boolean => PRIVATE_PATHS.test(pathname)

/** True if the address contains a secret. Such pages are also kept out of caches and search engines. */
export const containsSecret = (url: URL): boolean => mayContainSecret(url) && !findPublicPage(url)

/** Builds `sitemap.xml` (https://www.sitemaps.org/protocol.html). */
export const buildSitemap = (publicUrl: string): string => `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
${publicPageLinks.map(({ path }) => `<url><loc>${publicUrl}${path}</loc></url>`).join('\n')}
</urlset>
`
