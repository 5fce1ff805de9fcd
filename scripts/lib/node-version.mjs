// Exits with a message instead of a stack trace if Node is too old for the scripts. Must be imported before anything
// that needs a newer Node, because modules run in the order of their imports.

/** The oldest version that can install the workspace, which then uses its own Node. */
const MIN_MAJOR = 20
/** The version of Node that runs builds, tests and tools. */
const TOOLS_MIN_MAJOR = 24

/**
 * Returns the error message for a Node version such as `18.20.4`; nothing if it is supported.
 * @param {string} version
 */
export function nodeProblem(version) {
  if (Number.parseInt(version, 10) >= MIN_MAJOR) return undefined
  return `This is Node ${version}; Node ${MIN_MAJOR} or newer is needed. Install it from https://nodejs.org and try again.`
}

/**
 * Returns the error message if the workspace has no Node for this platform and the running one is too old.
 * @param {string} version
 * @param {string} platform such as `darwin-arm64`
 */
export function toolsNodeProblem(version, platform) {
  if (Number.parseInt(version, 10) >= TOOLS_MIN_MAJOR) return undefined
  return `This is Node ${version}. The workspace has no newer one for ${platform}: install Node ${TOOLS_MIN_MAJOR} from https://nodejs.org and try again.`
}

const problem = nodeProblem(process.versions.node)
if (problem) {
  console.error(problem)
  process.exit(1)
}
