// Builds the `/api/docs` page from packages/api-reference into the shell's output folder.
import path from 'node:path'
import { type Configuration, rspack } from '@rspack/core'

const root = path.resolve(import.meta.dirname, '../..')

/**
 * Returns the build configuration of `/api/docs`. No other page loads its files, and the API serves them under that path
 * (decision 096).
 */
export function apiReference(): Configuration {
  const hashedName = (extension: string) => `${extension}/[name].[contenthash:10].${extension}`
  return {
    name: 'api-reference',
    // The shell's build clears the folder, so it must run before this one.
    dependencies: ['shell'],
    context: path.join(root, 'packages', 'api-reference'),
    mode: 'production',
    target: ['web', 'es2022'],
    devtool: false,
    entry: { 'api-reference': './src/page.ts' },
    output: {
      path: path.join(root, 'shell', 'dist'),
      publicPath: '/api/docs/',
      crossOriginLoading: 'anonymous',
      uniqueName: 'api_reference',
      filename: hashedName('js'),
      chunkFilename: 'js/api-reference-[name].[contenthash:10].js',
      cssFilename: hashedName('css'),
      cssChunkFilename: hashedName('css'),
      assetModuleFilename: 'assets/[name].[contenthash:10][ext]',
    },
    resolve: { extensions: ['.ts', '.js'] },
    module: {
      rules: [
        { test: /\.ts$/, exclude: /node_modules/, type: 'javascript/auto', loader: 'builtin:swc-loader' },
        { test: /\.css$/, type: 'css/auto' },
        { test: /\.woff2$/, type: 'asset/resource' },
      ],
    },
    plugins: [
      new rspack.HtmlRspackPlugin({
        template: './src/index.html',
        filename: 'api-reference.html',
        minify: false,
      }),
      new rspack.DefinePlugin({
        __VUE_OPTIONS_API__: 'true',
        __VUE_PROD_DEVTOOLS__: 'false',
        __VUE_PROD_HYDRATION_MISMATCH_DETAILS__: 'false',
      }),
      new rspack.SubresourceIntegrityPlugin({ hashFuncNames: ['sha384'] }),
    ],
    performance: false,
    // 'Critical dependency' comes from the API reference's renderer, which can load plugins by URL; none is configured.
    ignoreWarnings: [/Conflicting order/, /Critical dependency/],
    infrastructureLogging: { level: 'error' },
    lazyCompilation: false,
  }
}
