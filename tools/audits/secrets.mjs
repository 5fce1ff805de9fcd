// Runs Secretlint on every file of the repository. No file may contain a key: tests generate their keys in each run.
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { captureOutput } from '../../scripts/lib/output.mjs'
import { root } from '../../scripts/lib/setup.mjs'

/** @param {{ tools: string }} options @returns {Promise<import('./audit-setup.mjs').Outcome>} */
export async function test({ tools }) {
  const { out: fileList } = await captureOutput('git', ['ls-files', '-z'], { cwd: root })
  const files = fileList.split('\0').filter(Boolean)
  const config = path.join(tools, 'secretlintrc.json')
  writeFileSync(config, JSON.stringify({ rules: [{ id: '@secretlint/secretlint-rule-preset-recommend' }] }))
  const { out, err } = await captureOutput(
    process.execPath,
    [
      path.join(tools, 'node_modules/secretlint/bin/secretlint.js'),
      '--secretlintrc',
      config,
      '--format=json',
      '--maskSecrets',
      '--no-glob',
      ...files.map(file => path.join(root, file)),
    ],
    { cwd: tools },
  )
  if (!out.trim().startsWith('[')) throw new Error(err || out)
  const found = JSON.parse(out).flatMap(({ filePath, messages }) =>
    messages.map(({ loc, message }) => `${path.relative(root, filePath)}:${loc.start.line} ${message}`),
  )
  return { summary: `${files.length} files`, found }
}
