// Builds the page of the shell, and in development that of a standalone micro-frontend.
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { rspack } from '@rspack/core'
import { transformSync } from 'esbuild'

const root = path.join(import.meta.dirname, '../..')

/** The folder of the mocks' service worker, for standalone micro-frontends. */
const mocks = path.join(root, 'packages/mocks/public')

/** Returns a small blocking script that runs before the first paint. Because of the CSP it is a file with a hashed name. */
function bootScript(dev: boolean) {
  const source = path.join(root, 'shell/src/boot.js')
  const code = readFileSync(source, 'utf8')
  const bytes = dev ? code : transformSync(code, { minify: true, target: 'es2022' }).code
  const digest = (algorithm: string, encoding: 'hex' | 'base64') =>
    createHash(algorithm).update(bytes).digest(encoding)
  const file = dev ? 'js/boot.js' : `js/boot.${digest('sha256', 'hex').slice(0, 10)}.js`
  return { source, bytes, file, integrity: `sha384-${digest('sha384', 'base64')}` }
}

/** Returns the plugins that write an app's page and the files next to it. */
export function pagePlugins({ dev, shell }: { dev: boolean; shell: boolean }) {
  const boot = bootScript(dev)
  return [
    new rspack.HtmlRspackPlugin({
      template: path.join(root, 'shell/index.html'),
      publicPath: '/', // Pages exist at any depth.
      chunks: [shell ? 'shell' : 'standalone'],
      templateParameters: {
        boot: boot.file,
        integrity: boot.integrity,
        // A standalone micro-frontend has no releases to look up. The server looks for 'paint' before it moves the script.
        early: shell ? 'paint' : 'no',
        // Nor does a standalone micro-frontend have a server that provides the institution's colour: an alternate link loads
        // nothing.
        brand: shell ? 'stylesheet' : 'alternate',
      },
    }),
    new rspack.CopyRspackPlugin({
      patterns: [
        { from: boot.source, to: boot.file, info: { minimized: true }, transform: () => boot.bytes },
      ],
    }),
    new rspack.CopyRspackPlugin({ patterns: [{ from: 'public', noErrorOnMissing: true }] }),
    !shell && new rspack.CopyRspackPlugin({ patterns: [{ from: mocks }, { from: '../shell/public' }] }),
  ]
}
