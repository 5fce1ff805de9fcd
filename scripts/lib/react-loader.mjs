// A loader for the entries of React in the shell: its production build, unless the page of an override has loaded a developer's
// before (development-react.ts). Without React's own check of its build, which costs more bytes.
import path from 'node:path'

/** Entries with the production build of each. */
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
 * @this {{ resourcePath: string }}
 * @param {string} source
 */
export default function replaceable(source) {
  const [, name] = Object.entries(entries).find(([file]) =>
    this.resourcePath.endsWith(path.normalize(file)),
  ) ?? ['', '']
  const build = `./cjs/${name}.production.js`
  if (!source.includes(`'${build}'`)) throw new Error(`${this.resourcePath} no longer uses ${build}.`)
  return `module.exports = globalThis.portalReact?.['${name}'] ?? require('${build}')`
}
