import path from 'node:path'
import { type Configuration, rspack } from '@rspack/core'
import { RspackDevServer } from '@rspack/dev-server'
import { ReactRefreshRspackPlugin } from '@rspack/plugin-react-refresh'

const folder = path.join(import.meta.dirname, '../../packages/ui/gallery')

// This policy is as strict as in production, so that inline styles fail here too. It has additions for the workshop's frames
// and for hot reload.
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "font-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "frame-src 'self'",
].join('; ')

const page = (chunk: string, filename: string) =>
  new rspack.HtmlRspackPlugin({ template: './index.html', filename, chunks: [chunk] })

const configuration: Configuration = {
  context: folder,
  mode: 'development',
  // An eval-* source map would not work with this policy.
  devtool: 'cheap-module-source-map',
  target: ['web', 'es2022'],
  entry: { workshop: './workshop-entry.tsx', canvas: './canvas-entry.tsx' },
  output: { filename: '[name].js', publicPath: '/', assetModuleFilename: '[name].[contenthash:8][ext]' },
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
            transform: { react: { runtime: 'automatic', development: true, refresh: true } },
          },
        },
      },
      {
        test: /\.css$/,
        type: 'css/auto',
        parser: { namedExports: false },
        generator: { localIdentName: '[name]-[local]' },
      },
    ],
  },
  plugins: [page('workshop', 'index.html'), page('canvas', 'canvas.html'), new ReactRefreshRspackPlugin()],
  optimization: { emitOnErrors: false, splitChunks: { chunks: 'all' } },
  performance: false,
  infrastructureLogging: { level: 'error' },
  ignoreWarnings: [/Conflicting order/],
  lazyCompilation: false,
  stats: 'errors-warnings',
}

/** Builds the workshop in memory and serves it with hot reload. */
export async function startGallery(port: number): Promise<{ url: string; close: () => Promise<void> }> {
  const compiler = rspack(configuration)
  const server = new RspackDevServer(
    {
      host: '127.0.0.1',
      port,
      hot: true,
      headers: { 'content-security-policy': policy, 'cache-control': 'no-store' },
      allowedHosts: ['localhost'],
      client: {
        // The address 0.0.0.0 stands for the host of the page; the policy allows no other.
        webSocketURL: `ws://0.0.0.0:${port}/ws`,
        logging: 'warn',
        overlay: { errors: true, warnings: false, runtimeErrors: false },
      },
      // The workshop shows the code of the stories.
      static: { directory: path.join(folder, 'stories'), publicPath: '/source', watch: false },
    },
    compiler,
  )
  // Errors are printed, and shown over the page until they are corrected.
  const firstBuild = new Promise<void>(resolve => compiler.hooks.done.tap('ready', () => resolve()))
  await server.start()
  await firstBuild
  return { url: `http://localhost:${port}/`, close: () => server.stop() }
}
