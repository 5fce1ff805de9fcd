// `node_modules/.bin/node tools/icons.mjs` renders the shell's icons, and the preview image that links to the portal show, from
// the favicon and the typefaces, with Chromium. The results are committed in `shell/public/`.
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { chromium } from 'playwright-core'
import { ensureChromium } from '../scripts/lib/chromium.mjs'
import { root, setUp } from '../scripts/lib/setup.mjs'

await setUp()
const folder = path.join(root, 'shell/public')
const seal = readFileSync(path.join(folder, 'favicon.svg'), 'utf8')
const font = readFileSync(
  path.join(
    root,
    'node_modules/@fontsource-variable/source-serif-4/files/source-serif-4-latin-wght-normal.woff2',
  ),
).toString('base64')

/** Returns the page of an icon. Maskable icons, which phones crop, need a full background and a symbol in the centre. */
const iconPage = size => ({
  width: size,
  height: size,
  body: `<div style="width:${size}px;height:${size}px;background:#0d5a3f;display:grid;place-items:center">
    ${seal.replace('<svg ', `<svg width="${size * 0.9}" height="${size * 0.9}" `)}</div>`,
})

const card = {
  width: 1200,
  height: 630,
  body: `<style>
    @font-face { font-family: 'Source Serif 4'; font-weight: 200 900; src: url(data:font/woff2;base64,${font}) }
    main { box-sizing: border-box; width: 1200px; height: 630px; padding: 80px 88px; display: grid;
      grid-template-columns: 1fr 250px; align-items: center; gap: 60px; background: #f5f8f6; color: #14241e;
      border-top: 18px solid #0d5a3f; font-family: 'Source Serif 4', serif }
    h1 { margin: 0; font-size: 82px; font-weight: 600; line-height: 1.08; letter-spacing: -0.015em }
    p { margin: 36px 0 0; font-size: 32px; line-height: 1.35; color: #47584f }
  </style><main><div><h1>Is this degree certificate on the register?</h1>
  <p>Official verification of degree certificates, with a letter that anyone can check.</p></div>
  ${seal.replace('<svg ', '<svg width="250" height="250" ')}</main>`,
}

const browser = await chromium.launch({ executablePath: await ensureChromium() })
try {
  for (const [name, { width, height, body }] of Object.entries({
    'apple-touch-icon.png': iconPage(180),
    'icon-192.png': iconPage(192),
    'icon-512.png': iconPage(512),
    'social-card.png': card,
  })) {
    const page = await browser.newPage({ viewport: { width, height } })
    await page.setContent(`<!doctype html><body style="margin:0">${body}`)
    await page.evaluate(() => document.fonts.ready)
    const file = path.join(folder, name)
    writeFileSync(file, await page.screenshot())
    await page.close()
    console.log(`${name}: ${readFileSync(file).length} bytes`)
  }
} finally {
  await browser.close()
}
