// `npm run new -- mfe <name> --role <role>` generates a micro-frontend that adds an area to the dashboard of a role. It only
// needs its folder: builds, servers and the shell discover it by its package.json.
import { microFrontends } from '../../scripts/lib/apps.mjs'
import { addOwner, addTeam } from './changes.mjs'
import { Refusal, requireKebabCase, toTitle } from './names.mjs'
import { addScreenFiles } from './screen.mjs'

/** The roles of an area by option. Super admins also get everything that admins have. */
const ROLES = {
  user: { roles: ['user'], persona: 'user' },
  admin: { roles: ['admin', 'super_admin'], persona: 'admin' },
  super_admin: { roles: ['super_admin'], persona: 'superAdmin' },
}
const FIRST_PORT = 4304
const SCREEN = 'overview'

/**
 * Returns the first port that no other micro-frontend uses.
 * @param {readonly { port: number }[]} others
 */
function nextPort(others) {
  const usedPorts = new Set(others.map(({ port }) => port))
  let port = FIRST_PORT
  while (usedPorts.has(port)) port += 1
  return port
}

/** Refuses the path of another area or of a dashboard screen. */
async function refuseTakenPath(changes, name, others) {
  for (const other of others) {
    if (other.area?.path === name) throw new Refusal(`${other.name} already has the area ${name}.`)
    const routes = await changes.read(`${other.name}/src/routes.tsx`)
    if (!other.area && new RegExp(`path: '${name}[/']`).test(routes))
      throw new Refusal(
        `${other.name} already has a page at ${name}, which the area would hide. Choose another name.`,
      )
  }
}

/**
 * Returns the content of package.json.
 * @param {{ name: string, area: object, port: number }} app
 */
const packageOf = ({ name, area, port }) => ({
  name: `@portal/${name}`,
  version: '0.1.0',
  private: true,
  type: 'module',
  portal: { port, area },
  scripts: {
    build: `rspack build -c ../rspack.config.ts --mode production --env app=${name}`,
    dev: 'node ../scripts/dev-standalone.mjs',
  },
  // The version of a package is declared once: in the root, or in the workspace that owns the package.
  dependencies: Object.fromEntries(
    [
      ...['api', 'contract', 'format', 'router', 'session', 'ui'].map(part => `@portal/${part}`),
      '@tanstack/react-query',
      'lucide-react',
      'react',
      'react-dom',
    ].map(part => [part, '*']),
  ),
  devDependencies: { '@portal/standalone': '*', vitest: '*' },
})

/**
 * Adds the files of a micro-frontend, and returns the next steps.
 * @param {import('./changes.mjs').Changes} changes
 * @param {string[]} names
 * @param {{ role?: string | undefined, title?: string | undefined }} options
 */
export async function newMicroFrontend(changes, [rawName], options) {
  const area = requireKebabCase('micro-frontend', rawName?.replace(/^mfe-/, ''))
  const roleOption = ROLES[options.role ?? '']
  if (!roleOption)
    throw new Refusal(
      `Choose the role whose dashboard it extends: --role ${Object.keys(ROLES).join(', --role ')}.`,
    )
  const { roles, persona } = roleOption
  const others = microFrontends(changes.root)
  await refuseTakenPath(changes, area, others)
  const app = `mfe-${area}`
  const shownTitle = options.title ?? toTitle(area)
  const settings = packageOf({
    name: app,
    port: nextPort(others),
    area: { path: area, title: shownTitle, roles },
  })
  const { scripts } = JSON.parse(await changes.read('mfe-user/package.json'))
  // The scripts that existing micro-frontends have, such as release.
  const inheritedScripts = Object.entries(scripts).map(([name, command]) => [
    name,
    String(command).replaceAll('mfe-user', app),
  ])
  settings.scripts = { ...settings.scripts, ...Object.fromEntries(inheritedScripts) }
  changes.create(`${app}/package.json`, `${JSON.stringify(settings, null, 2)}\n`)

  const folder = await addScreenFiles(changes, { app, name: SCREEN, shownTitle, template: 'screen', persona })
  const rename = text =>
    text
      .replaceAll('sample-area', area)
      .replaceAll('Sample Area', shownTitle)
      .replaceAll("const access = ['user']", `const access = ${JSON.stringify(roles)}`)
      .replaceAll("persona: 'user'", `persona: '${persona}'`)
  const targets = { 'screen/page.tsx': `${folder}/page.tsx`, 'mfe/src/routes.tsx': `${app}/src/routes.tsx` }
  for (const file of ['routes.tsx', 'dev.tsx'])
    changes.create(
      `${app}/src/${file}`,
      await changes.fillTemplate(`mfe/src/${file}`, `${app}/src/${file}`, rename, targets),
    )
  await addOwner(changes, app, area)
  await addTeam(changes, app, area)
  return [
    { run: `npm run dev -w ${app}`, does: 'standalone, on mocks' },
    { run: 'npm run dev', does: 'the whole portal with it' },
    { run: `npx vitest run --project unit ${app}`, does: 'its tests' },
    { run: `npm run release -w ${app}`, does: 'releases it to a running portal' },
  ]
}
