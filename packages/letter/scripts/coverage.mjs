// Writes packages/contract/src/letter-coverage.ts: the characters that the PDF fonts can draw. Run it after faces.mjs:
// node packages/letter/scripts/coverage.mjs
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { computeCoverage, coverageSource } from '../src/pdf/coverage.ts'
import { loadFaces } from '../src/pdf/faces.ts'

const source = coverageSource(computeCoverage(await loadFaces()))
writeFileSync(path.join(import.meta.dirname, '../../contract/src/letter-coverage.ts'), source)
