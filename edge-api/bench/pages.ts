import path from 'node:path'
import { nodeBinary, run } from '../../scripts/lib/setup.mjs'
import { measureFirstVisits } from '../../tools/lib/first-visit.mjs'
import { measurePageWeights, scriptBytes } from '../../tools/lib/page-weight.mjs'
import { compareFigures, type Figure } from './figures.ts'

/*
 * Measures what federation costs a visitor: the time until each page can be used, compared with the same code built as a single
 * application.
 */

const titles: Record<string, string> = { user: 'user dashboard', admin: 'admin dashboard' }

async function build(...step: string[]): Promise<void> {
  const code = await run(nodeBinary(), step, { stdio: ['ignore', 2, 2] })
  if (code !== 0) throw new Error(`${step.join(' ')} failed`)
}

export async function measurePages(folder: string): Promise<Figure[]> {
  const releases = path.join(folder, 'monolith')
  await build('scripts/build.mjs')
  await build('--disable-warning=ExperimentalWarning', 'scripts/monolith-build.ts', releases)
  const [federated, monolith] = [
    await measurePageWeights(),
    await measurePageWeights({ RELEASES_FOLDER: releases }),
  ]
  const { withPages, withoutPages } = await measureFirstVisits()
  const compareFirstVisits = ([name, key]: readonly [string, 'paint' | 'live']) =>
    compareFigures(
      `Landing page on a phone with slow 4G: ${name}`,
      [withPages[key], 'ms'],
      ['without static pages', withoutPages[key]],
    )
  const visits = [['largest paint', 'paint'] as const, ['ready for input', 'live'] as const].map(
    compareFirstVisits,
  )
  const weights = federated.flatMap((page, index) => {
    const bundled = monolith[index]
    if (!bundled) return []
    const name = titles[page.name] ?? page.name
    return [
      compareFigures(
        `Scripts until first use: ${name}`,
        [scriptBytes(page) / 1000, 'kB gzip'],
        ['one application', scriptBytes(bundled) / 1000],
      ),
      compareFigures(
        `Requests until first use: ${name}`,
        [page.files.length, 'requests'],
        ['one application', bundled.files.length],
      ),
    ]
  })
  return [...weights, ...visits]
}
