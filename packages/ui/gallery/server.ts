import { createReadStream } from 'node:fs'
import { mkdtemp, rm, stat } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type Compiler, type Configuration, rspack } from '@rspack/core'

const here = import.meta.dirname

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.woff2': 'font/woff2',
}

// As strict as production, so that inline styles fail here too.
const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; img-src 'self' data:"

function configuration(output: string): Configuration {
  return {
    context: here,
    mode: 'development',
    devtool: false,
    target: ['web', 'es2022'],
    entry: './gallery.tsx',
    output: { path: output, assetModuleFilename: '[name].[contenthash:8][ext]' },
    resolve: { extensions: ['.tsx', '.ts', '.js'] },
    module: {
      rules: [
        {
          test: /\.tsx?$/,
          exclude: /node_modules/,
          type: 'javascript/auto',
          loader: 'builtin:swc-loader',
          options: {
            jsc: {
              target: 'es2022',
              parser: { syntax: 'typescript', tsx: true },
              transform: { react: { runtime: 'automatic' } },
            },
          },
        },
        { test: /\.css$/, type: 'css/auto', parser: { namedExports: false } },
      ],
    },
    plugins: [new rspack.HtmlRspackPlugin({ template: './index.html' })],
    lazyCompilation: false,
    stats: 'errors-warnings',
  }
}

function build(compiler: Compiler): Promise<void> {
  return new Promise((resolve, reject) => {
    compiler.run((error, stats) => {
      if (error) reject(error)
      else if (stats?.hasErrors()) reject(new Error(stats.toString({ all: false, errors: true })))
      else resolve()
    })
  })
}

/** Builds the gallery into a temporary folder and serves it. Port 0 picks a free port. */
export async function startGallery(port: number): Promise<{ url: string; close: () => Promise<void> }> {
  const output = await mkdtemp(path.join(tmpdir(), 'gallery-'))
  const compiler = rspack(configuration(output))
  await build(compiler)

  const server = createServer(async (request, response) => {
    const name = path.basename(new URL(request.url ?? '/', 'http://localhost').pathname) || 'index.html'
    const file = path.join(output, name)
    const found = await stat(file).catch(() => undefined)
    if (!found?.isFile()) {
      response.writeHead(404).end()
      return
    }
    response.writeHead(200, {
      'content-type': types[path.extname(name)] ?? 'application/octet-stream',
      'content-security-policy': policy,
      'cache-control': 'no-store',
    })
    createReadStream(file).pipe(response)
  })
  await new Promise<void>(resolve => server.listen(port, '127.0.0.1', resolve))
  const address = server.address() as AddressInfo

  return {
    url: `http://127.0.0.1:${address.port}/`,
    close: async () => {
      server.closeAllConnections()
      await new Promise(resolve => server.close(resolve))
      await new Promise(resolve => compiler.close(resolve))
      await rm(output, { recursive: true, force: true })
    },
  }
}
