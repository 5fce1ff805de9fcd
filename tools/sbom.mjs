// `npm run sbom [-- --out <file>]`: the bill of materials (CycloneDX) of what the product carries, in `dist/sbom.json`.
// `npm run assemble` lays it beside what is uploaded; `npm run audits -- sbom` says what is wrong with it.
import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { argumentsOf } from '../scripts/lib/arguments.mjs'
import { root, setUp } from '../scripts/lib/setup.mjs'
import { billOfMaterials } from './lib/bill-of-materials.mjs'

const { values } = argumentsOf('npm run sbom [-- --out <file>]', { options: { out: { type: 'string' } } })
const file = values.out ? path.resolve(values.out) : path.join(root, 'dist/sbom.json')
await setUp()
const { text, packages } = await billOfMaterials()
mkdirSync(path.dirname(file), { recursive: true })
writeFileSync(file, text)
console.log(`${path.relative(process.cwd(), file)}: ${packages.length} packages`)
