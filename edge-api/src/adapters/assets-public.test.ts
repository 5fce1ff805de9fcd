import { readdirSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { root } from '../../../scripts/lib/setup.mjs'
import { isPublicFile } from './assets-public.ts'

test('every file of shell/public is public', () => {
  const files = readdirSync(path.join(root, 'shell/public'), { recursive: true, encoding: 'utf8' })
  expect(files.length).toBeGreaterThan(3)
  expect(files.filter(file => !isPublicFile(`shell/${file}`))).toEqual([])
})

test.each([
  'remotes.json',
  'shell/index.html',
  'shell/js/boot.797ef1bbef.js',
  'shell/assets/inter-latin.bdb6c55585.woff2',
  'mfe-admin/34b47db2f98f/mf-manifest.json',
  'mfe-public/34b47db2f98f/pages.json',
  'mfe-admin/1.4.0/remoteEntry.2caa29068a.js',
  'mfe-finance/34b47db2f98f/css/page.0123456789.css',
  'mfe-finance/34b47db2f98f/assets/photo (1).0123456789.webp',
])('%s is public', file => expect(isPublicFile(file)).toBe(true))

test.each([
  'shipments.jsonl',
  'remotes.json.bak',
  'remotes.json.4711',
  'shell.json',
  '.env',
  'notes.0123456789.js',
  'shell/stamp.json',
  'shell/.env',
  'shell/index.html.br',
  'shell/js/boot.797ef1bbef.js.br',
  'shell/js/boot.js',
  'mfe-admin/notes.txt',
  'mfe-admin/js/page.0123456789.js',
  'mfe-admin/.34b47db2f98f.4711/js/page.0123456789.js',
  'mfe-admin/../js/page.0123456789.js',
  'mfe-admin/34b47db2f98f/secret.txt',
  'mfe-admin/34b47db2f98f/stamp.json',
  'mfe-admin/34b47db2f98f/calls.json',
  'mfe-admin/34b47db2f98f/js/page.0123456789.js.map',
  'mfe-admin/34b47db2f98f/js/page.0123456789.js.gz',
  'mfe-admin/34b47db2f98f/js/../../../x.0123456789.js',
  'mfe-admin/34b47db2f98f/js/..\\x.0123456789.js',
  'mfe-admin/34b47db2f98f/js/x\0.0123456789.js',
  'MFE-admin/34b47db2f98f/mf-manifest.json',
  'backup/34b47db2f98f/mf-manifest.json',
])('%s is not public', file => expect(isPublicFile(file)).toBe(false))
