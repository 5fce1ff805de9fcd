import { DEMO_PASSWORD, personas } from '@portal/fixtures/personas'
import { describe, expect, test } from 'vitest'
import { sharedPortal } from '../../test/portal.ts'
import { startPortal } from '../../test/servers/portal-server.ts'

/*
 * Tests the pages that the server sends for search engines, previews and people without JavaScript. static-page.test.ts
 * tests static pages.
 */

const { url, folder } = sharedPortal()
const openPage = async (path: string, headers: Record<string, string> = {}) => {
  const response = await fetch(url + path, { headers })
  return { response, text: await response.text() }
}

// A worker's files come from a binding that the test server does not have.
describe.skipIf(folder === '')('public pages', () => {
  test.each(['/', '/letters', '/letters/credentials', '/track-payment', '/help', '/terms', '/privacy'])(
    '%s can be indexed, and shows its purpose, the fee and a contact without JavaScript',
    async path => {
      const { response, text } = await openPage(path)
      expect(response.headers.get('x-robots-tag')).toBeNull()
      expect(text).toContain(`<link rel="canonical" href="${url}${path}">`)
      expect(text).toContain(`<meta property="og:image" content="${url}/social-card.png">`)
      const bodyHtml = /<body>(.*)<\/body>/s.exec(text)?.[1]?.replaceAll(/<script.*?<\/script>/gs, '') ?? ''
      expect(bodyHtml.match(/<h1[ >]/g)).toHaveLength(1)
      expect(bodyHtml).toMatch(/A verification costs ₦[\d,.]+\./)
      expect(bodyHtml).toMatch(/href="mailto:[^"]+@[^"]+"/)
      expect(bodyHtml).not.toMatch(/\[object|undefined|\{\{/)
    },
  )

  test.each(['/letters/ABCD-EFGH-JKLM', '/track-payment?id=CVF1', '/verify-email/x', '/reset-password/x'])(
    '%s is not indexed or cached, and has no canonical address',
    async path => {
      const { response, text } = await openPage(path)
      expect(response.headers.get('x-robots-tag')).toBe('noindex')
      expect(response.headers.get('cache-control')).toBe('no-store')
      expect(response.headers.get('referrer-policy')).toBe('no-referrer')
      expect(text).not.toContain('rel="canonical"')
    },
  )

  test('that may show a code never send a Referer', async () => {
    for (const path of ['/letters', '/track-payment'])
      expect((await openPage(path)).response.headers.get('referrer-policy')).toBe('no-referrer')
  })

  test('are listed in the sitemap, whose address is in robots.txt', async () => {
    const { response, text } = await openPage('/sitemap.xml')
    expect(response.headers.get('content-type')).toContain('xml')
    const listed = [...text.matchAll(/<loc>([^<]+)<\/loc>/g)].map(found => found[1] ?? '')
    expect(listed).toContain(`${url}/letters`)
    for (const address of listed) expect((await fetch(address)).headers.get('x-robots-tag')).toBeNull()
    expect((await openPage('/robots.txt')).text).toContain(`Sitemap: ${url}/sitemap.xml`)
  })

  test('are not sent again if they are unchanged', async () => {
    const { response } = await openPage('/help')
    const etag = response.headers.get('etag') ?? ''
    expect((await openPage('/help', { 'if-none-match': etag })).response.status).toBe(304)
    expect((await openPage('/terms', { 'if-none-match': etag })).response.status).toBe(200)
  })

  test('show the settings with HTML escaped', async () => {
    const portal = await startPortal()
    try {
      const call = async (method: string, path: string, body: unknown, token = '') => {
        const response = await fetch(`${portal.url}/api${path}`, {
          method,
          body: body === undefined ? null : JSON.stringify(body),
          headers: {
            'content-type': 'application/json',
            ...(token && { authorization: `Bearer ${token}` }),
          },
        })
        return response.json()
      }
      const { email } = personas.superAdmin
      const { token } = await call('POST', '/auth/login', { email, password: DEMO_PASSWORD })
      const institution = await call('GET', '/admin/settings/institution', undefined, token)
      const name = 'College <b>of</b> "Arts" & Law'
      const { updated_at: _, logo: __, ...profile } = institution
      const changed = await call('PUT', '/admin/settings/institution', { ...profile, name }, token)
      expect(changed.name).toBe(name)
      const page = await (await fetch(portal.url)).text()
      expect(page).toContain('College &lt;b&gt;of&lt;/b&gt; &quot;Arts&quot; &amp; Law')
      expect(page).not.toContain('<b>of')
    } finally {
      await portal.stop()
    }
  })
})
