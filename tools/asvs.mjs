// `node tools/asvs.mjs` counts the requirements of OWASP ASVS 5.0.0, levels 1 and 2, that are met (docs/asvs.md).
import { readFileSync } from 'node:fs'
import path from 'node:path'

/** Returns the rows of the table in docs/asvs.md: number, level, requirement, state, and where it is met or why not. */
export function readRequirements() {
  const text = readFileSync(path.join(import.meta.dirname, '../docs/asvs.md'), 'utf8')
  return [...text.matchAll(/^\| ([\d.]+) \| (\d) \| (.+?) \| (.+?) \| (.+) \|$/gm)].map(
    ([, number = '', level = '', requirement = '', state = '', why = '']) => ({
      number,
      level: Number(level),
      requirement,
      state,
      why,
    }),
  )
}

if (process.argv[1] === import.meta.filename) {
  const all = readRequirements()
  const count = (level, state) => all.filter(row => row.level === level && row.state === state).length
  for (const level of [1, 2]) {
    const total = all.filter(row => row.level === level).length
    const notApplicable = count(level, 'n/a')
    console.log(
      `level ${level}: ${count(level, 'met')} of ${total - notApplicable} that apply are met, ${count(level, 'deviation')} deviate; ${notApplicable} of ${total} do not apply`,
    )
  }
}
