// `npm run new -- screen <mfe> <name>` generates a page with an API call, loading and error states, a test, a route with
// access, and a navigation item.
import { microFrontends } from '../../scripts/lib/apps.mjs'
import { Refusal, requireKebabCase, toPascalCase, toTitle } from './names.mjs'
import { tableIn, withEntry, withImports } from './source.mjs'

/** Matches the beginning of the routes: in mfe-admin, screens are wrapped in a frame; in others, they are not. */
const ROUTES = /const (?:screens|routes): RemoteModule\['routes'\] = \[/
const NAVIGATION = /const navigation: RemoteModule\['navigation'\] = \[/
const personaOf = access =>
  /super/.test(access) ? 'superAdmin' : /admin|staff/.test(access) ? 'admin' : 'user'

/**
 * Adds the files of a screen.
 * @param {import('./changes.mjs').Changes} changes
 * @param {{ app: string, name: string, shownTitle: string, template: string, persona: string }} screen
 */
export async function addScreenFiles(changes, { app, name, shownTitle, template, persona }) {
  const folder = `${app}/src/features/${name}`
  const rename = text =>
    text
      .replaceAll('SampleScreen', toPascalCase(name))
      .replaceAll('Sample Screen', shownTitle)
      .replaceAll("as: 'user'", `as: '${persona}'`)
  const targets = {
    [`${template}/page.tsx`]: `${folder}/page.tsx`,
    [`${template}/endpoints.ts`]: `${folder}/endpoints.ts`,
  }
  const files = { 'page.tsx': 'page.tsx', 'page.check.tsx': 'page.test.tsx' }
  for (const [from, to] of Object.entries({
    ...files,
    ...(template === 'screen' && { 'endpoints.ts': 'endpoints.ts' }),
  }))
    changes.create(
      `${folder}/${to}`,
      await changes.fillTemplate(`${template}/${from}`, `${folder}/${to}`, rename, targets),
    )
  return folder
}

/** Returns the expression that the other routes use for `access`. */
function accessIn(text) {
  const table = tableIn(text, ROUTES)
  const match = table && /\baccess(?:: ([^,]+))?,/.exec(text.slice(table.from, table.to))
  return match?.[1] ?? 'access'
}

/** Returns the value of an access expression if it is a constant of the file, else the expression. */
const resolveConstant = (text, access) =>
  new RegExp(`const ${access} = (.+) as const`).exec(text)?.[1] ?? access

/**
 * Adds the files of a screen, and returns the next steps.
 * @param {import('./changes.mjs').Changes} changes
 * @param {string[]} names the micro-frontend and the screen
 * @param {{ title?: string | undefined }} options
 */
export async function newScreen(changes, [app, rawName], options) {
  const name = requireKebabCase('screen', rawName)
  const appNames = microFrontends(changes.root).map(item => item.name)
  if (!app || !appNames.includes(app))
    throw new Refusal(`Unknown micro-frontend ${app}: use one of ${appNames.join(', ')}.`)
  const shownTitle = options.title ?? toTitle(name)
  const routes = `${app}/src/routes.tsx`
  const text = await changes.read(routes)
  const access = accessIn(text)
  if (new RegExp(`path: '${name}[/']`).test(text))
    throw new Refusal(`${routes} already has a page at ${name}.`)
  const isPublic = access === "'public'"
  const template = isPublic ? 'public-screen' : 'screen'
  const persona = personaOf(resolveConstant(text, access))
  const folder = await addScreenFiles(changes, { app, name, shownTitle, template, persona })
  const accessField = access === 'access' ? 'access' : `access: ${access}`
  await changes.change(routes, before => {
    const page = `{ path: '${name}', ${accessField}, title: '${shownTitle}', lazy: () => import('./features/${name}/page.tsx') }`
    const textWithRoute = withEntry(routes, before, ROUTES, page)
    if (isPublic) return textWithRoute
    const item = `{ tab: '${name}', label: '${shownTitle}', icon: FileText, ${accessField} }`
    return withImports(
      withEntry(routes, textWithRoute, NAVIGATION, item),
      "import { FileText } from 'lucide-react'\n",
    )
  })
  return [
    { run: `npm run dev -w ${app}`, does: `standalone on mocks: open ${shownTitle}` },
    { run: `npx vitest run --project unit ${folder}`, does: 'its test' },
  ]
}
