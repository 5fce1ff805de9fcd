import { DEMO_PASSWORD, personas } from '@portal/fixtures/personas'
import { eventually } from '../../../edge-api/test/portal.ts'
import { fetchRemotesConfig } from './release.ts'
import { buildElsewhere, runReleases } from './shipping.ts'
import { heading } from './verify-flow.ts'
import { logInAs, type Walk } from './walk.ts'

/**
 * Walks through a failing micro-frontend as users see it, and the releases as staff see them. `folder` is the releases folder.
 */
export async function walkShipping({ page, portal, inspect }: Walk, folder: string): Promise<void> {
  await page.goto('/')
  await logInAs(page, portal, personas.user.email, DEMO_PASSWORD)
  await page.route('**/r/mfe-user/**', route => route.abort('connectionfailed'))
  await page.goto('/dashboard/history')
  await page.getByRole('alert').waitFor()
  await inspect('remote-down', page)
  await page.unroute('**/r/mfe-user/**')

  const config = await fetchRemotesConfig(portal)
  const remotes = config.remotes.map(remote => ({ ...remote, needs: { contract: 7, start: 1, shared: {} } }))
  await page.route('**/config/remotes.json', route => route.fulfill({ json: { ...config, remotes } }))
  await page.goto('/dashboard/history')
  await page.getByRole('alert').waitFor()
  await inspect('remote-incompatible', page)
  await page.unroute('**/config/remotes.json')

  await page.goto('/dashboard/history')
  await heading(page, 'Verification History').waitFor()
  const { manifest } = config.remotes.find(({ name }) => name === 'mfe-user') ?? { manifest: '' }
  await page.evaluate(
    scriptPath => {
      const error = new Error('a click')
      error.stack = `Error: a click\n    at ${location.origin}${scriptPath}:1:1`
      window.dispatchEvent(new ErrorEvent('error', { error }))
    },
    manifest.replace('mf-manifest.json', 'js/1.js'),
  )
  await page.getByText('Something on this page did not work.').waitFor()
  await inspect('remote-trouble', page)

  const build = await buildElsewhere(folder, 'mfe-admin', '7c20e4b81d3f', async () => {})
  await runReleases(folder, portal, 'release', 'mfe-admin', '--from', build, '--canary', '10')
  await runReleases(folder, portal, 'promote', 'mfe-admin')
  await runReleases(folder, portal, 'rollback', 'mfe-admin')
  await logInAs(page, portal, personas.superAdmin.email, DEMO_PASSWORD)
  await page.goto('/dashboard/logs')
  await eventually(async () => {
    await page.getByRole('button', { name: 'Refresh' }).click()
    return (await page.getByText('Front end rolled back').count()) > 0 || undefined
  }, 'the log entry of the rollback')
  await inspect('shipments', page)
}
