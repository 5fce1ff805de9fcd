// Stops at a Node too old for our scripts, in a sentence; else the first command ended in a trace of its own. Imported
// before anything that needs a newer one: modules run in the order of their imports.

/** The first version on which the commands install the workspace; its own Node does the rest. */
const OLDEST = 20
/** The version that builds, tests and tools run on. */
const TOOLS = 24

/**
 * What to say of a Node by its version, such as `18.20.4`; nothing when it will do.
 * @param {string} version
 */
export function tooOld(version) {
  if (Number.parseInt(version, 10) >= OLDEST) return undefined
  return `This is Node ${version}; Node ${OLDEST} or newer is needed. Install it from https://nodejs.org and try again.`
}

/**
 * What to say where no Node comes with the workspace, so that the one that runs does all of the work.
 * @param {string} version
 * @param {string} platform such as `darwin-arm64`
 */
export function tooOldAlone(version, platform) {
  if (Number.parseInt(version, 10) >= TOOLS) return undefined
  return `This is Node ${version}. No newer one comes with the workspace on ${platform}: install Node ${TOOLS} from https://nodejs.org and try again.`
}

const complaint = tooOld(process.versions.node)
if (complaint) {
  console.error(complaint)
  process.exit(1)
}
