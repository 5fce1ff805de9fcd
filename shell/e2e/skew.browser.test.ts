import { rm } from 'node:fs/promises'
import path from 'node:path'
import { incompatibilities } from '@portal/contract/compatibility'
import type { RemotesConfig } from '@portal/contract/remote'
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { startPortal } from '../../edge-api/test/servers/portal-server.ts'
import { readJson, releasesFolder } from '../../scripts/shipping/folder.mjs'
import { visit, withChromium } from './support/browser.ts'
import {
  buildVersion,
  combineReleases,
  type EarlierVersion,
  earlierVersions,
} from './support/earlier-versions.ts'
import { admin, newUser } from './support/portal.ts'
import { formatSharedPackages, readSharedPackages } from './support/shared.ts'

/*
 * Tests shells and micro-frontends of different days: they are released independently, so a browser can have both. Combines
 * these sources, as either part, with the last state of main on each of the two previous days, against the API of these
 * sources.
 */

withChromium()
const versions = earlierVersions()

const titleOf = (page: Page) => page.getByRole('heading', { level: 1 }).first()

/**
 * The micro-frontends, each with a page. The page must be shown, unless the shell gives a reason why it cannot run the
 * micro-frontend.
 */
const pages = [
  { name: 'mfe-public', address: '/', title: /degree certificate on the register/ },
  { name: 'mfe-user', address: '/dashboard/history', title: /^Verification History/ },
  { name: 'mfe-admin', address: '/dashboard/logs', title: /^Activity Logs/ },
] as const

/** Opens a page of each micro-frontend in a portal with these releases. */
async function openPages(releases: string): Promise<string[]> {
  const { has } = await readJson(path.join(releases, 'shell.json'))
  const { remotes }: RemotesConfig = await readJson(path.join(releases, 'remotes.json'))
  const portal = await startPortal({ RELEASES_FOLDER: releases })
  const report: string[] = []
  try {
    for (const { name, address, title } of pages) {
      const needs = remotes.find(remote => remote.name === name)?.needs
      const reasons = needs ? incompatibilities(needs, has) : ['no requirements']
      const createSession = { 'mfe-public': undefined, 'mfe-user': newUser, 'mfe-admin': admin }[name]
      const { page, context, problems } = await visit({
        portal,
        ...(createSession && { as: await createSession(portal) }),
      })
      if (reasons.length > 0) problems.expect(/IncompatibleRemote|needs /)
      await page.goto(address)
      if (reasons.length > 0) {
        await page.getByText('is being updated. Please load this page again').first().waitFor()
        report.push(`${name}: refused (${reasons.join('; ')})`)
      } else {
        await expect.poll(() => titleOf(page).textContent()).toMatch(title)
        const shared = await readSharedPackages(page)
        for (const library of ['react', 'react-dom']) {
          const copies = shared.filter(item => item.name === library)
          expect(copies, formatSharedPackages(shared).join('\n')).toHaveLength(1)
          expect(copies[0]?.from).toMatch(/^shell/)
        }
        const react = formatSharedPackages(shared.filter(item => item.name === 'react'))
        expect(react.join()).toContain(name.replace('-', '_'))
        report.push(`${name}: ${react.join()}`)
      }
      expect(problems.listUnexpected()).toEqual([])
      await context.close()
    }
  } finally {
    await portal.stop()
  }
  return report
}

test('there are at most two earlier versions, each the last state of main on its day', () => {
  const days = versions.map(({ day }) => day)
  expect(days.length).toBeLessThanOrEqual(2)
  expect(days).toEqual([...new Set(days)].sort().reverse())
})

// In a shallow clone there are no earlier days.
describe.each(versions)('with main of $day', (version: EarlierVersion) => {
  test('a newer shell runs earlier micro-frontends and an earlier shell newer ones, or the shell shows the reason', async () => {
    const earlierBuild = await buildVersion(version)
    const currentReleases = releasesFolder()
    try {
      for (const [shell, remotes] of [
        [currentReleases, earlierBuild.releases],
        [earlierBuild.releases, currentReleases],
      ] as const) {
        const folder = await combineReleases(shell, remotes)
        const report = await openPages(folder)
        console.log(
          `${shell === currentReleases ? 'new shell, earlier' : 'earlier shell, new'} remotes:`,
          ...report,
        )
        // A newer shell must always be able to show the landing page of an earlier release.
        if (shell === currentReleases) expect(report[0]).not.toContain('refused')
        await rm(folder, { recursive: true, force: true })
      }
    } finally {
      await earlierBuild.remove()
    }
  })
})
