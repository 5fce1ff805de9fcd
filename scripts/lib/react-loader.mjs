// A loader for the entries of React in the shell: each uses React's production build, unless a page with an override has
// already loaded a developer's build (development-react.ts). This replaces React's own choice of a build, which takes more
// bytes.
import path from 'node:path'

/** The production build of each entry. */
const entries = {
  'react/index.js': 'react',
  'react-dom/index.js': 'react-dom',
  'react-dom/client.js': 'react-dom-client',
}

/** Returns the rspack rule for this loader. @param {string} folder of packages */
export const replaceableReact = folder => ({
  include: Object.keys(entries).map(file => path.join(folder, file)),
  loader: import.meta.filename,
})

/**
 * Returns code that uses the developer's build if there is one, else the production build.
 * @this {{ resourcePath: string }}
 * @param {string} source
 */
export default function makeReplaceable(source) {
  const [, name] = Object.entries(entries).find(([file]) =>
    this.resourcePath.endsWith(path.normalize(file)),
  ) ?? ['', '']
  const build = `./cjs/${name}.production.js`
  if (!source.includes(`'${build}'`)) throw new Error(`${this.resourcePath} no longer uses ${build}.`)
  return `module.exports = globalThis.portalReact?.['${name}'] ?? require('${build}')`
}
