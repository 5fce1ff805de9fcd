// Finds or installs the external tools with which tests check letters.
import { spawnSync } from 'node:child_process'
import { installPackages } from './apt.mjs'

/** The Debian package of each tool. */
const TOOLS = {
  openssl: 'openssl',
  certutil: 'libnss3-tools',
  pdfsig: 'poppler-utils',
  pdftotext: 'poppler-utils',
  pdftoppm: 'poppler-utils',
  qpdf: 'qpdf',
  zbarimg: 'zbar-tools',
  'python3 with cryptography': 'python3-cryptography',
}

/** @param {string} tool */
function isInstalled(tool) {
  if (tool !== 'python3 with cryptography')
    return spawnSync(tool, ['--version'], { stdio: 'ignore' }).error === undefined
  // The package is for Debian's Python, but another Python may come first in PATH.
  return ['python3', '/usr/bin/python3'].some(
    python => spawnSync(python, ['-c', 'import cryptography'], { stdio: 'ignore' }).status === 0,
  )
}

/** Returns the names of the missing tools. */
const missingTools = () => Object.keys(TOOLS).filter(name => !isInstalled(name))

/** Installs missing tools. Tests of tools that cannot be installed are skipped with a message. */
export async function ensureLetterTools() {
  const missing = missingTools()
  if (missing.length === 0) return
  const packages = [...new Set(missing.map(name => TOOLS[/** @type {keyof typeof TOOLS} */ (name)]))]
  console.error(`Tools that check letters are missing: installing ${packages.join(', ')} with apt-get …`)
  await installPackages(packages)
  const stillMissing = missingTools()
  if (stillMissing.length > 0)
    console.error(`
SKIPPED: ${stillMissing.join(', ')} could not be installed, so tests that need them are skipped and letters are not checked with
them. Install them yourself: apt-get install ${packages.join(' ')}
`)
}
