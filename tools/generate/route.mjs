// `npm run new -- route <domain> <name>` generates an API call, from the contract to the database, with its mock, parity case,
// row in the access table, and test. Until its code is changed, the call returns the number of the caller's paid payments.
import { addOwner } from './changes.mjs'
import { Refusal, requireKebabCase, toCamelCase, toKebabCase, toTitle } from './names.mjs'
import { importsOf, tableIn, withEntry, withImports } from './source.mjs'

const CALLERS = { user: 'user', admin: 'admin', super_admin: 'superAdmin' }
const ROUTES_FILE = 'packages/contract/src/routes.ts'
const HANDLERS_FILE = 'edge-api/src/handlers.ts'
const MOCK_HANDLERS_FILE = 'packages/mocks/src/handlers.ts'
const PARITY_TABLE_FILE = 'edge-api/test/parity/table.ts'
const ACCESS_TABLE_FILE = 'edge-api/src/http/access-table.test.ts'
const DESCRIPTION = 'packages/contract/src/openapi-tags.ts'
const ROUTES_OBJECT = /^export const routes = \{/m

/** The tables of all domains, to which a new domain is added. */
const tables = {
  [ROUTES_FILE]: ROUTES_OBJECT,
  [HANDLERS_FILE]: /^export const handlers: \{[^}]*\} = \{/m,
  [MOCK_HANDLERS_FILE]: /^const mocks: MockHandlers = \{/m,
  [PARITY_TABLE_FILE]: /^export const parityTable: \{[^}]*\} = \{/m,
  [ACCESS_TABLE_FILE]: /^const table = \{/m,
  [DESCRIPTION]: /^const domains: Record<[^,]+, DomainInfo> = \{/m,
}

/** Returns the name of a domain in a table, and the file from which it is imported. */
function sourceOf(file, text, domain) {
  const table = tableIn(text, tables[file])
  const body = table ? text.slice(table.from, table.to) : ''
  const [, local = domain] = new RegExp(`^ {2}${domain}(?:: (\\w+))?,`, 'm').exec(body) ?? []
  const found = importsOf(text).imports.find(item => item.names?.includes(local))
  if (!found) throw new Refusal(`${file} does not import ${domain}: add the call by hand.`)
  const folder = file.slice(0, file.lastIndexOf('/') + 1)
  return { local, file: folder + found.from.replace('./', '') }
}

/** Returns a path for a call, in the form of the paths of the domain's other calls. */
const addressOf = (domain, name) => `/${toKebabCase(domain).replace(/^admin-/, 'admin/')}/${name}`

/** Refuses a path that another call already matches, even if only by a parameter. */
async function refuseTakenPath(changes, address) {
  const folder = 'packages/contract/src'
  const contract = await changes.read(ROUTES_FILE)
  const files = importsOf(contract).imports.map(item => `${folder}/${item.from.replace('./', '')}`)
  for (const file of files) {
    for (const [, path = ''] of (await changes.read(file)).matchAll(/path: '([^']+)'/g)) {
      if (new RegExp(`^${path.replaceAll('.', '\\.').replace(/\{\w+\}/g, '[^/]+')}$`).test(address))
        throw new Refusal(
          `${file} has ${path}, which already matches ${address}: choose another path with --path /…`,
        )
    }
  }
}

/** Returns the entry in a template's table, and its imports. */
function entryOf(text) {
  const { imports, rest } = importsOf(text)
  const table = tableIn(rest, /^export const \w+[^=]*= \{/m)
  if (!table) throw new Error('a template without a table')
  return {
    entry: rest.slice(table.from, table.to).trim().replace(/,$/, ''),
    // The target file already imports the other ones: the type of its table, and its domain.
    imports: imports
      .filter(item => !item.type || /Reader/.test(item.statement))
      .map(item => item.statement)
      .join(''),
  }
}

/**
 * Adds the files and entries of a call, and returns the next steps.
 * @param {import('./changes.mjs').Changes} changes
 * @param {string[]} names the domain in the contract, and the call
 * @param {{ access?: string | undefined, path?: string | undefined }} options
 */
export async function newRoute(changes, [givenDomain, givenName], options) {
  const name = requireKebabCase('call', givenName)
  const call = toCamelCase(name)
  const access = options.access ?? 'user'
  if (!Object.hasOwn(CALLERS, access))
    throw new Refusal(
      access === 'public'
        ? 'A public call needs a rate limit (edge-api/src/limits/rules.ts): create one for user, then follow docs/guides/first-route.md.'
        : `Choose who can call it: --access ${Object.keys(CALLERS).join(', --access ')}.`,
    )
  const contract = await changes.read(ROUTES_FILE)
  const table = tableIn(contract, ROUTES_OBJECT)
  const domainNames = [...contract.slice(table?.from, table?.to).matchAll(/^ {2}(\w+),/gm)].map(
    ([, domainName = '']) => domainName,
  )
  const isKnown = domainNames.includes(givenDomain ?? '')
  const domain = isKnown ? String(givenDomain) : toCamelCase(requireKebabCase('domain', givenDomain))
  const folderName = toKebabCase(domain)
  const address = options.path ?? addressOf(domain, name)
  await refuseTakenPath(changes, address)

  const api = isKnown
    ? sourceOf(HANDLERS_FILE, await changes.read(HANDLERS_FILE), domain).file
    : `edge-api/src/${folderName}/handlers.ts`
  const folder = api.slice(0, api.lastIndexOf('/'))
  const targets = {
    'route/contract.ts': isKnown
      ? sourceOf(ROUTES_FILE, contract, domain).file
      : `packages/contract/src/${folderName}.ts`,
    'route/handlers.ts': api,
    'route/store.ts': `${folder}/${name}-store.ts`,
    'route/mock.ts': isKnown
      ? sourceOf(MOCK_HANDLERS_FILE, await changes.read(MOCK_HANDLERS_FILE), domain).file
      : `packages/mocks/src/${folderName}.ts`,
    'route/cases.ts': isKnown
      ? sourceOf(PARITY_TABLE_FILE, await changes.read(PARITY_TABLE_FILE), domain).file
      : `edge-api/test/parity/${folderName}.ts`,
    'route/api.check.ts': `${folder}/${name}.api.test.ts`,
  }
  const rename = text =>
    text
      .replaceAll('/sample-domain/sample-call', address)
      .replaceAll('sampleDomain', domain)
      .replaceAll('sampleCall', call)
      .replaceAll('SampleCall', call.slice(0, 1).toUpperCase() + call.slice(1))
      .replaceAll("access: 'user'", `access: '${access}'`)
      .replaceAll("callBy('user')", `callBy('${CALLERS[access]}')`)
      .replaceAll("role: Role = 'user'", `role: Role = '${access}'`)
  const fillIn = template => changes.fillTemplate(template, targets[template], rename, targets)

  for (const template of ['route/store.ts', 'route/api.check.ts'])
    changes.create(targets[template], await fillIn(template))
  const tableTemplates = ['route/contract.ts', 'route/handlers.ts', 'route/mock.ts', 'route/cases.ts']
  for (const template of tableTemplates) {
    const file = targets[template]
    if (!isKnown) changes.create(file, await fillIn(template))
    else
      await addTo(changes, file, await fillIn(template), openerOf(await localName(changes, template, domain)))
  }
  if (!isKnown) await register(changes, { domain, folderName, name })
  await changes.change(ACCESS_TABLE_FILE, text =>
    isKnown
      ? withEntry(ACCESS_TABLE_FILE, text, new RegExp(`^ {2}${domain}: \\{`, 'm'), `${call}: '${access}'`)
      : withEntry(ACCESS_TABLE_FILE, text, tables[ACCESS_TABLE_FILE], `${domain}: { ${call}: '${access}' }`),
  )
  const parity = 'edge-api/src/http/parity.api.test.ts'
  return [
    { run: `npm test -- --project api-deno-file ${targets['route/api.check.ts']}`, does: 'its test' },
    {
      run: `npm test -- --project api-deno-file ${parity} -t ${domain}.${call}`,
      does: 'the mock answers as the API does',
    },
    { run: 'npm run mock', does: `answers ${address} on http://localhost:4310/api` },
  ]
}

/** Returns the name that the table has in the file of a domain. */
async function localName(changes, template, domain) {
  const registry =
    {
      'route/contract.ts': ROUTES_FILE,
      'route/handlers.ts': HANDLERS_FILE,
      'route/mock.ts': MOCK_HANDLERS_FILE,
      'route/cases.ts': PARITY_TABLE_FILE,
    }[template] ?? ROUTES_FILE
  return sourceOf(registry, await changes.read(registry), domain).local
}

const openerOf = local => new RegExp(`^export const ${local}\\b[^=]*= \\{`, 'm')

/** Adds the entry of a template to an existing table. */
async function addTo(changes, file, text, opener) {
  const { entry, imports } = entryOf(text)
  await changes.change(file, before => withImports(withEntry(file, before, opener, entry), imports))
}

/** Adds a new domain to all tables of domains. */
async function register(changes, { domain, folderName, name }) {
  const handlers = `${domain}Handlers`
  const cases = `${domain}Cases`
  const add = (file, entry, from) =>
    changes.change(file, text => withImports(withEntry(file, text, tables[file], entry), from))
  await add(ROUTES_FILE, domain, `import { ${domain} } from './${folderName}.ts'\n`)
  await add(
    HANDLERS_FILE,
    `${domain}: ${handlers}`,
    `import { ${handlers} } from './${folderName}/handlers.ts'\n`,
  )
  await add(MOCK_HANDLERS_FILE, domain, `import { ${domain} } from './${folderName}.ts'\n`)
  await add(PARITY_TABLE_FILE, `${domain}: ${cases}`, `import { ${cases} } from './${folderName}.ts'\n`)
  const row = `['Staff: portal', '${toTitle(folderName)}', '${toTitle(name)}.']`
  await add(DESCRIPTION, `${domain}: ${row}`, '')
  await addOwner(changes, `edge-api/src/${folderName}`, folderName)
}
