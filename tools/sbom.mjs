// `npm run sbom [-- --out <file>]` writes the product's bill of materials (CycloneDX) to `dist/sbom.json`. `npm run assemble`
// adds one to the upload; `npm run audits -- sbom` checks it.
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
