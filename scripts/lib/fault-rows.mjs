// The faults of `docs/quality.md` with the tests that show each: the document is the one list of them.

/** A test as the document names it, and what its title is when it runs: `%s` and the like are filled in then. */
function testOf(file, title) {
  const parts = title.split(/%[a-z]|\$\{[^}]*\}|\$\w+/)
  const pattern = parts.map(part => part.replaceAll(/[.*+?^${}()|[\]\\/]/g, '\\$&')).join('.+')
  return { file, title, pattern: new RegExp(pattern) }
}

function rowsOf(section, name) {
  return [...section.matchAll(/^\| (\d+) \|(?: [HBUO] \|)? (.+?) \| (.+) \|$/gm)].map(
    ([, row, what, shown]) => ({
      name: name(row),
      number: Number(row),
      what: what.replaceAll('`', ''),
      tests: [...shown.matchAll(/`([\w./-]+\.test\.tsx?)` › \*([^*]+)\*/g)].map(([, file, title]) =>
        testOf(file, title),
      ),
    }),
  )
}

/**
 * @param {string} text of `docs/quality.md`
 * @returns {{ name: string, number: number, what: string, tests: { file: string, title: string, pattern: RegExp }[] }[]}
 *   the faults of machines (rows 44 to 48), then those of payments, called `p1` to `p38`
 */
export function faultRows(text) {
  const section = heading => text.split(/^#+ /m).find(part => part.startsWith(heading)) ?? ''
  const machines = rowsOf(section('Files, logs, faults'), row => row).filter(({ number }) => number >= 44)
  const payments = rowsOf(section('Payments: the 38 faults'), row => `p${row}`)
  return [...machines, ...payments]
}

/** The project of `vitest.config.ts` that a test file belongs to. */
export function projectOf(file) {
  if (file.endsWith('.full.test.ts')) return 'full'
  if (file.endsWith('.api.test.ts')) return 'api-deno-file'
  if (/\.browser\.test\.tsx?$/.test(file)) return 'screens'
  return file.startsWith('shell/e2e/') ? 'browser' : 'unit'
}
