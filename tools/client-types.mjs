// `npm run generate -w @portal/client` writes packages/client/src/schema.ts, the types of `/v1`, from the OpenAPI description.
import { writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { openApi } from '../edge-api/src/http/openapi.ts'
import { root } from '../scripts/lib/setup.mjs'

const client = path.join(root, 'packages/client')
export const SCHEMA = path.join(client, 'src/schema.ts')
const HEAD = `// Generated from the OpenAPI description by \`npm run generate -w @portal/client\`. Do not edit.
`

/**
 * The types of the routes for API keys, as openapi-typescript writes them.
 * @returns {Promise<string>}
 */
export async function clientTypes() {
  // It needs the compiler's old API, so it is installed next to the client with a TypeScript of its own.
  const { default: openapiTS, astToString } = createRequire(path.join(client, 'package.json'))(
    'openapi-typescript',
  )
  const { paths, components, openapi, info } = openApi('https://portal.example')
  const forKeys = Object.entries(/** @type {Record<string, unknown>} */ (paths)).filter(([each]) =>
    each.startsWith('/v1/'),
  )
  const description = { openapi, info, components, paths: Object.fromEntries(forKeys) }
  return HEAD + astToString(await openapiTS(description, { alphabetize: true }))
}

if (process.argv[1] === import.meta.filename) {
  writeFileSync(SCHEMA, await clientTypes())
  console.log(path.relative(root, SCHEMA))
}
