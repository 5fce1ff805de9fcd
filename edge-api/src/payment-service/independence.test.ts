import { readdir, readFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'

const folder = new URL('.', import.meta.url)
const allowedImports =
  /^(\.\/[\w-]+\.ts|\.\.\/listener\/(listen|timed-body)\.ts|node:[\w/]+|hono(\/[\w/-]+)?|zod|@hono\/zod-validator|drizzle-orm(\/[\w/-]+)?|@libsql\/client(\/web)?)$/
const entryPoints = ['config.ts', 'main.ts', 'test-harness.ts']

describe('the payment service', () => {
  it('imports nothing from the product, and uses runtime APIs only in its entry points', async () => {
    const files = (await readdir(folder)).filter(name => name.endsWith('.ts') && !name.endsWith('.test.ts'))
    expect(files).toContain('app.ts')
    for (const file of files) {
      const text = await readFile(new URL(file, folder), 'utf8')
      const imports = [...text.matchAll(/(?:from|import)\s*\(?\s*'([^']+)'/g)].map(match => match[1] ?? '')
      expect([file, imports.filter(name => !allowedImports.test(name))]).toEqual([file, []])
      if (entryPoints.includes(file)) continue
      expect([file, imports.filter(name => name.startsWith('node:'))]).toEqual([file, []])
    }
  })
})
