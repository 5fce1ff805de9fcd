// Saves screenshots for documents: as PNG if that is small enough, otherwise as JPEG with decreasing quality.
import { rmSync, statSync } from 'node:fs'
import path from 'node:path'

/**
 * Saves a screenshot as `<folder>/<name>.png` or `.jpg`.
 * @param {import('playwright-core').Page} page
 * @param {string} folder
 * @param {string} name
 * @param {number} maxBytes size limit of the PNG
 */
export async function saveScreenshot(page, folder, name, maxBytes) {
  const file = path.join(folder, `${name}.png`)
  await page.screenshot({ path: file })
  if (statSync(file).size <= maxBytes) return
  rmSync(file)
  for (const quality of [88, 80, 70, 60]) {
    const jpeg = path.join(folder, `${name}.jpg`)
    await page.screenshot({ path: jpeg, type: 'jpeg', quality })
    if (statSync(jpeg).size <= maxBytes) return
  }
}
