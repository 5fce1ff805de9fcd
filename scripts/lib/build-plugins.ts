// Small rspack plugins for the builds of the browser apps.
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import type { RspackPluginFunction } from '@rspack/core'
import { foreignRules } from './style-rules.mjs'

/** Sorts the tables of chunk hashes in a build, because their order depends on the path of the checkout. */
const sortTables = (code: string) =>
  code.replace(
    /\{((?:\s*"?[\w-]+"?: ?"\*-\*-\*-CHUNK-SRI-HASH-[^"]+",?)+)\s*\}/g,
    (_, entries: string) =>
      `{${entries
        .split(',')
        .map(entry => entry.trim())
        .filter(Boolean)
        .sort()
        .join(',')}}`,
  )

export const sortHashTables: RspackPluginFunction = compiler =>
  compiler.hooks.compilation.tap('sorted hashes', compilation =>
    compilation.hooks.processAssets.tap({ name: 'sorted hashes', stage: -1999 }, assets => {
      for (const [file, asset] of Object.entries(assets)) {
        const code = String(asset.source())
        if (!code.includes('CHUNK-SRI-HASH-')) continue
        const { map } = asset.sourceAndMap()
        const sortedMap = map && {
          ...map,
          sourcesContent: map.sourcesContent?.map(item => sortTables(item ?? '')),
        }
        const { RawSource, SourceMapSource } = compiler.rspack.sources
        compilation.updateAsset(
          file,
          sortedMap
            ? new SourceMapSource(sortTables(code), file, sortedMap)
            : new RawSource(sortTables(code)),
        )
      }
    }),
  )

/** Records the files that the first screen (chunk `first`) needs, for the pointer (scripts/build.mjs). */
export const recordFirstFiles: RspackPluginFunction = compiler =>
  compiler.hooks.done.tap('first files', stats => {
    // A build with errors wrote nothing; its errors are reported afterwards.
    if (stats.hasErrors()) return
    const { namedChunkGroups = {} } = stats.toJson({ all: false, chunkGroups: true })
    const groups = ['__federation_expose_routes', 'first'].map(group => namedChunkGroups[group]?.assets ?? [])
    const files = [...new Set(groups.flat().map(({ name }) => name))].filter(file =>
      /\.(?:js|css)$/.test(file),
    )
    if (namedChunkGroups.first)
      writeFileSync(path.join(compiler.outputPath, 'first-files.json'), JSON.stringify(files))
  })

/** Fails the build on styles that affect the shell or another micro-frontend. */
export const rejectForeignStyles =
  (app: string): RspackPluginFunction =>
  compiler =>
    compiler.hooks.compilation.tap('own styles', compilation =>
      compilation.hooks.processAssets.tap({ name: 'own styles', stage: 1000 }, assets => {
        for (const [file, asset] of Object.entries(assets))
          if (file.endsWith('.css'))
            for (const rule of foreignRules(String(asset.source()), { app, file }))
              compilation.errors.push(
                new Error(
                  `${file} ${rule}\nIt must contain a class of a CSS module: docs/shipping.md, "Styles".`,
                ),
              )
      }),
    )
