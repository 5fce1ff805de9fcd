// A software bill of materials (CycloneDX) of what the product carries, and npm's advisories about it.
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { root } from '../lib/setup.mjs'
import { output } from './tool.mjs'

/** Licences that a closed product may carry. */
const FREE =
  /^(MIT|MIT-0|ISC|0BSD|BSD-[23]-Clause|Apache-2\.0|OFL-1\.1|CC0-1\.0|Unlicense|BlueOak-1\.0\.0|Zlib)$/

/** @param {{ tools: string }} place @returns {Promise<import('./tool.mjs').Outcome>} */
export async function test({ tools }) {
  const { out, err } = await output('npm', ['sbom', '--sbom-format=cyclonedx', '--omit=dev'], { cwd: root })
  if (!out.startsWith('{')) throw new Error(err)
  const file = path.join(tools, 'sbom.json')
  writeFileSync(file, out)
  const { components } = JSON.parse(out)
  // Workspaces, which are the product itself, come without a hash.
  const others = components.filter(({ hashes }) => hashes)
  const found = others.flatMap(({ name, version, licenses = [] }) => {
    const named = licenses.map(({ license, expression }) => license?.id ?? license?.name ?? expression ?? '')
    const free = named.some(licence => licence.split(/ (?:OR|AND) |[()]/).some(one => FREE.test(one)))
    return free ? [] : [`${name} ${version}: licence ${named.join(', ') || 'unknown'}`]
  })
  const audit = await output('npm', ['audit', '--omit=dev', '--json'], { cwd: root })
  const advisories = JSON.parse(audit.out || '{}')
  if (advisories.vulnerabilities)
    for (const { name, severity, range } of Object.values(advisories.vulnerabilities))
      found.push(`${name} ${range}: advisory, ${severity}`)
  const asked = advisories.vulnerabilities
    ? 'advisories asked'
    : 'advisories NOT asked: the registry has none'
  return { told: `${others.length} packages in ${path.relative(root, file)}, ${asked}`, found }
}
