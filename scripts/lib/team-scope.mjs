// Finds the part of the workspace that concerns one team: its micro-frontends, and the packages that they depend on.
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { exitWithUsage } from './arguments.mjs'
import { nodeBinary, root, toolEnvironment } from './setup.mjs'

/**
 * Returns the folders that turbo lists.
 * @param {string[]} args of `turbo ls`
 * @returns {string[]}
 */
function listFolders(args) {
  const turbo = path.join(root, 'node_modules/turbo/bin/turbo')
  const output = execFileSync(nodeBinary(), [turbo, 'ls', '--output=json', ...args], {
    cwd: root,
    env: toolEnvironment({ TURBO_NO_UPDATE_NOTIFIER: '1', TURBO_TELEMETRY_DISABLED: '1' }),
    stdio: ['ignore', 'pipe', 'ignore'],
    encoding: 'utf8',
  })
  return JSON.parse(output.slice(output.indexOf('{'))).packages.items.map(item => item.path)
}

/**
 * Returns the folders of packages that have changed since the main branch; undefined if git does not know that branch, as in
 * a clone without history.
 */
function affectedFolders() {
  try {
    return new Set(listFolders(['--affected']))
  } catch {
    return undefined
  }
}

/**
 * Returns the scope of a team; ends the command if there is no such team.
 * @param {string} name as in `teams.json`
 * @param {string} usage of the command
 * @returns {{ apps: string[], folders: string[], unchanged: string[] }} `apps`: its micro-frontends; `folders`: those, and the
 *   packages they depend on that may have changed since the main branch; `unchanged`: the other packages they depend on
 */
export function teamScope(name, usage) {
  const { teams } = JSON.parse(readFileSync(path.join(root, 'teams.json'), 'utf8'))
  const team = teams.find(item => item.name === name)
  if (!team)
    return exitWithUsage(
      `No team "${name}" in teams.json. Teams: ${teams.map(item => item.name).join(', ')}.`,
      usage,
    )
  const allFolders = listFolders(team.apps.map(app => `--filter=./${app}...`))
  const affected = affectedFolders()
  const isAffected = folder => team.apps.includes(folder) || (affected?.has(folder) ?? true)
  return {
    apps: team.apps,
    folders: allFolders.filter(isAffected),
    unchanged: allFolders.filter(folder => !isAffected(folder)),
  }
}
