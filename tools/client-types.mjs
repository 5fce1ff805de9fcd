// `npm run generate -w @portal/client` writes packages/client/src/schema.ts, the types of `/v1`, from the OpenAPI description.
// With `--check`, as part of `npm run verify`, it instead exits with 1 if a type is out of date; differences in descriptions
// are ignored.
import { readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { openApi } from '@portal/contract/openapi'
import { argumentsOf } from '../scripts/lib/arguments.mjs'
import { root } from '../scripts/lib/setup.mjs'

const client = path.join(root, 'packages/client')
const SCHEMA = path.join(client, 'src/schema.ts')
const HEAD = `// Generated from the OpenAPI description by \`npm run generate -w @portal/client\`. Do not edit.
`

/**
 * Returns the types of the routes for API keys, as openapi-typescript writes them.
 * @returns {Promise<string>}
 */
async function generateClientTypes() {
  // openapi-typescript needs the old API of the compiler. It is therefore installed with the client, which has its own
  // TypeScript.
  const { default: openapiTS, astToString } = createRequire(path.join(client, 'package.json'))(
    'openapi-typescript',
  )
  const { paths, components, openapi, info } = openApi('https://portal.example')
  const forKeys = Object.entries(/** @type {Record<string, unknown>} */ (paths)).filter(([path]) =>
    path.startsWith('/v1/'),
  )
  const description = { openapi, info, components, paths: Object.fromEntries(forKeys) }
  return HEAD + astToString(await openapiTS(description, { alphabetize: true }))
}

/**
 * Returns a source without its comments.
 * @param {string} source
 */
const withoutComments = source => source.replace(/\/\*\*.*?\*\/\s*/gs, '')

const { values } = argumentsOf('node tools/client-types.mjs [--check]', {
  options: { check: { type: 'boolean' } },
})
const types = await generateClientTypes()
if (!values.check) writeFileSync(SCHEMA, types)
else if (withoutComments(readFileSync(SCHEMA, 'utf8')) !== withoutComments(types)) {
  console.error('The types of the client are out of date; run: npm run generate -w @portal/client')
  process.exit(1)
}
