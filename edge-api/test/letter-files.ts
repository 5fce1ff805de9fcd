import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import {
  type Account,
  endPaymentAtGateway,
  eventually,
  newAccount,
  newCertificate,
  request,
  sharedPortal,
} from './portal.ts'

/** Fetches a response of the portal as bytes; `path` is relative to the portal's address. */
export async function fetchBytes(
  path: string,
  init: RequestInit = {},
): Promise<{ status: number; headers: Headers; bytes: Uint8Array<ArrayBuffer> }> {
  const response = await fetch(sharedPortal().url + path, init)
  return {
    status: response.status,
    headers: response.headers,
    bytes: new Uint8Array(await response.arrayBuffer()),
  }
}

/** Pays for new certificates in one payment. @returns the payment's ID, and the letters' codes by certificate number */
export async function payForLetters(studentNames: readonly string[], payer?: Account) {
  const account = payer ?? (await newAccount())
  const certificates = await Promise.all(studentNames.map(student_name => newCertificate({ student_name })))
  const numbers = certificates.map(({ certificate_number }) => certificate_number)
  const { token } = account
  const [path, body] =
    numbers.length === 1
      ? ['/verification/process-payment', { certificate_number: numbers[0] }]
      : ['/verification/process-bulk-payment', { certificate_numbers: numbers }]
  const started = await request('POST', path, { token, body })
  await endPaymentAtGateway(started.body.payment_reference, '00')
  const id: string = started.body.transaction_id
  const status = await eventually(async () => {
    const response = await request('GET', `/verification/check-verification-status/${id}`, { token })
    return response.body.status === 'paid' ? response.body : undefined
  }, `the payment ${id}`)
  const items: { certificate_number: string; letter: { code: string } }[] = status.items
  const codes = new Map(items.map(item => [item.certificate_number, item.letter.code]))
  const [code = ''] = codes.values()
  return { account, id, certificates, codes, code, template: status.verification_template }
}

/** Returns true if a tool is installed, and otherwise prints a warning. With `versionOption`, the tool ends immediately. */
export function hasTool(name: string, versionOption: string): boolean {
  const isInstalled = spawnSync(name, [versionOption]).error === undefined
  if (!isInstalled) console.warn(`SKIPPED: ${name} is not installed, so our PDFs were not checked with it.`)
  return isInstalled
}

/** Runs a tool on a file in a separate folder. `{}` in an option stands for the file's path. @returns the exit code and output */
export function runTool(name: string, options: readonly string[], file: Uint8Array, extension = 'pdf') {
  const folder = mkdtempSync(path.join(tmpdir(), 'letter-'))
  try {
    const input = path.join(folder, `letter.${extension}`)
    writeFileSync(input, file)
    const result = spawnSync(
      name,
      options.map(option => option.replace('{}', input)),
      { cwd: folder, encoding: 'utf8' },
    )
    return { code: result.status, output: `${result.stdout}${result.stderr}` }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Renders the page of a PDF as a PNG with a resolution of `dpi`. */
export function renderPicture(pdf: Uint8Array, dpi: number): Buffer {
  const folder = mkdtempSync(path.join(tmpdir(), 'letter-'))
  try {
    const input = path.join(folder, 'letter.pdf')
    writeFileSync(input, pdf)
    execFileSync('pdftoppm', ['-r', String(dpi), '-png', '-singlefile', input, path.join(folder, 'page')])
    return readFileSync(path.join(folder, 'page.png'))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** A page in shades of grey: 0 is black, 255 white. */
export interface GreyPicture {
  width: number
  height: number
  pixels: Uint8Array
}

/** Renders the page of a PDF in shades of grey, at `dpi`. */
export function renderGreyPicture(pdf: Uint8Array, dpi: number): GreyPicture {
  const options = ['-r', String(dpi), '-gray', '-singlefile', '-']
  const output = execFileSync('pdftoppm', options, { input: pdf, maxBuffer: 1e9 })
  // Binary PGM: its header is `P5 <width> <height> 255` and one blank.
  const [head = '', width, height] =
    /^P5\s+(\d+)\s+(\d+)\s+255\s/.exec(output.toString('latin1', 0, 60)) ?? []
  return { width: Number(width), height: Number(height), pixels: output.subarray(head.length) }
}

/**
 * Measures the ink in a box, which is in points from the top left corner.
 * @returns the number of pixels, weighted by darkness, and the number of rows with ink
 */
export function measureInk(
  { width, pixels }: GreyPicture,
  box: { left: number; top: number; right: number; bottom: number },
  dpi: number,
): { ink: number; rows: number } {
  const toPixels = (points: number) => Math.round((points * dpi) / 72)
  const [left, right] = [toPixels(box.left), Math.min(toPixels(box.right), width)]
  const total = { ink: 0, rows: 0 }
  for (let y = toPixels(box.top); y < toPixels(box.bottom); y++) {
    const row = pixels.subarray(y * width + left, y * width + right)
    const ink = row.reduce((sum, shade) => sum + 1 - shade / 255, 0)
    total.ink += ink
    if (ink > 0.5) total.rows++
  }
  return total
}
