import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { apps, microFrontends } from './lib/apps.mjs'

/* Tests how apps are found by their folders. */

const root = path.join(import.meta.dirname, '..')
const areas = microFrontends().flatMap(({ name, area }) => (area ? [{ name, ...area }] : []))

test('finds the shell and every micro-frontend, each with its own port', () => {
  const names = apps().map(({ name }) => name)
  expect(names).toEqual(expect.arrayContaining(['shell', 'mfe-public', 'mfe-user', 'mfe-admin']))
  expect(new Set(apps().map(({ port }) => port)).size).toBe(names.length)
})

test('no area has the same path as another area or as a dashboard page', () => {
  expect(new Set(areas.map(area => area.path)).size).toBe(areas.length)
  for (const app of ['mfe-user', 'mfe-admin']) {
    const text = readFileSync(path.join(root, app, 'src/routes.tsx'), 'utf8')
    const pages = [...text.matchAll(/path: '([^'/]*)/g)].map(([, page]) => page)
    expect(pages.length).toBeGreaterThan(5)
    expect(areas.filter(area => pages.includes(area.path))).toEqual([])
  }
})

test('each area has a path of one segment, a title and known roles', () => {
  for (const { path: areaPath, title, roles } of areas) {
    expect(areaPath).toMatch(/^[a-z][a-z0-9-]*$/)
    expect(title).not.toBe('')
    expect(['user', 'admin', 'super_admin']).toEqual(expect.arrayContaining(roles))
    expect(roles.length).toBeGreaterThan(0)
  }
})
