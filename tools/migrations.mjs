// Turns the SQL files that drizzle-kit generates into one module, so that they travel inside a bundle and every
// runtime applies them without a file system: `npm run migrations -w @portal/edge-api`.
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'

const folder = path.join(import.meta.dirname, '../edge-api/src/db/migrations')
const files = readdirSync(folder)
  .filter(file => file.endsWith('.sql'))
  .sort()
const migrations = files.map(file => ({
  name: file.replace(/\.sql$/, ''),
  statements: readFileSync(path.join(folder, file), 'utf8')
    .split('--> statement-breakpoint')
    .map(statement => statement.trim())
    .filter(Boolean),
}))
const literal = text => `\`${text.replaceAll('\\', '\\\\').replaceAll('`', '\\`').replaceAll('${', '\\${')}\``
writeFileSync(
  path.join(folder, '../migrations.ts'),
  `// Made by tools/migrations.mjs from db/migrations/*.sql. Do not edit.
export const migrations: readonly { name: string; statements: readonly string[] }[] = [
${migrations.map(m => `  {\n    name: '${m.name}',\n    statements: [\n${m.statements.map(s => `      ${literal(s)},`).join('\n')}\n    ],\n  },`).join('\n')}
]
`,
)
// drizzle-kit compares with the newest snapshot alone; each of the others is thousands of lines.
const snapshots = readdirSync(path.join(folder, 'meta')).filter(file => file.endsWith('_snapshot.json'))
for (const old of snapshots.sort().slice(0, -1)) rmSync(path.join(folder, 'meta', old))
console.log(`${files.length} migrations written`)
