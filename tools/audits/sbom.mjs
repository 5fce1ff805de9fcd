// Checks the product's bill of materials: where packages come from, their licences, and npm's advisories about them.
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { captureOutput } from '../../scripts/lib/output.mjs'
import { root } from '../../scripts/lib/setup.mjs'
import {
  billOfMaterials,
  findForeignPackages,
  findRefusedLicences,
  readLock,
} from '../lib/bill-of-materials.mjs'

/** The time in which known vulnerabilities must be fixed, by severity (docs/security.md, Dependencies). */
const FIX_DEADLINES = { critical: 'within 2 days', high: 'within 7 days', moderate: 'within 30 days' }

/** @param {{ tools: string }} options @returns {Promise<import('./audit-setup.mjs').Outcome>} */
export async function test({ tools }) {
  const { text, packages } = await billOfMaterials()
  const file = path.join(tools, 'sbom.json')
  writeFileSync(file, text)
  const found = [...findForeignPackages(readLock()), ...findRefusedLicences(packages)]
  const audit = await captureOutput('npm', ['audit', '--omit=dev', '--json'], { cwd: root })
  const { vulnerabilities } = JSON.parse(audit.out || '{}')
  for (const { name, severity, range } of Object.values(vulnerabilities ?? {}))
    found.push(
      `${name} ${range}: advisory, ${severity}, to be fixed ${FIX_DEADLINES[severity] ?? 'with the next release'}`,
    )
  const advisories = vulnerabilities
    ? 'advisories checked'
    : 'advisories NOT checked: the registry provides none'
  return { summary: `${packages.length} packages in ${path.relative(root, file)}, ${advisories}`, found }
}
