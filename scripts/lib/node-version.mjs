// Stops at a Node too old for our scripts, in a sentence; else the first command ended in a trace of its own. Imported
// before anything that needs a newer one: modules run in the order of their imports.

/** The first release that has `import.meta.dirname`. */
const OLDEST = '20.11.0'

/**
 * What to say of a Node by its version, such as `18.20.4`; nothing when it will do.
 * @param {string} version
 */
export function tooOld(version) {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  const [leastMajor = 0, leastMinor = 0] = OLDEST.split('.').map(Number)
  if (major > leastMajor || (major === leastMajor && minor >= leastMinor)) return undefined
  return `This is Node ${version}; Node ${OLDEST} or newer is needed. Install it from https://nodejs.org and try again.`
}

const complaint = tooOld(process.versions.node)
if (complaint) {
  console.error(complaint)
  process.exit(1)
}
