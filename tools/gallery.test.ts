import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { codeOf, importsOf, withValues } from '../packages/ui/gallery/source.ts'
import { root } from '../scripts/lib/setup.mjs'

const stories = path.join(root, 'packages/ui/gallery/stories')
const components = path.join(root, 'packages/ui/src')
const textsIn = (folder: string) =>
  readdirSync(folder)
    .filter(file => /^[\w-]+\.tsx$/.test(file))
    .map(file => ({ file, text: readFileSync(path.join(folder, file), 'utf8') }))

/** This module replaces the code of the library's icons in a build. It is not shown, because no component imports it. */
const INTERNAL = 'lucide-icon.tsx'

test('the gallery shows every component of the design system', () => {
  const storyTexts = textsIn(stories)
    .map(({ text }) => text)
    .join('\n')
  const componentNames = textsIn(components)
    .filter(({ file }) => file !== INTERNAL)
    .flatMap(({ text }) => [...text.matchAll(/^export function ([A-Z]\w+)/gm)].map(([, name = '']) => name))
  expect(componentNames).toContain('Button')
  expect(componentNames.filter(name => !new RegExp(`<${name}\\b`).test(storyTexts))).toEqual([])
})

test('the gallery finds the code and the imports of every story', () => {
  const files = textsIn(stories)
  expect(files.length).toBeGreaterThan(0)
  for (const { file, text } of files) {
    const storyNames = [...text.matchAll(/^export function (\w+)/gm)].map(([, name = '']) => name)
    expect(storyNames.length, file).toBeGreaterThan(0)
    for (const name of storyNames) expect(codeOf(text, name), `${file}: ${name}`).toMatch(/<[A-Za-z]/)
  }
  expect(importsOf(files.find(({ file }) => file === 'button.tsx')?.text ?? '')).toBe(
    "import { Button, ButtonLink } from '@portal/ui/button'",
  )
})

const text = `import { A } from '@portal/ui/a'

export function Short() {
  return <A />
}

export function Several() {
  return (
    <Row>
      <A />
    </Row>
  )
}

export function WithState() {
  const [open, setOpen] = useState(false)
  return <A open={open} />
}
`

test('the code of a story is the expression that it returns, or the whole function if that does more', () => {
  expect(codeOf(text, 'Short')).toBe('<A />')
  expect(codeOf(text, 'Several')).toBe('<Row>\n  <A />\n</Row>')
  expect(codeOf(text, 'WithState')).toMatch(/^function WithState\(\) \{\n {2}const \[open/)
  expect(codeOf(text, 'Missing')).toBe('')
})

test.each([
  [{}, '<A icon={X} />'],
  [{ size: 'sm', busy: true, disabled: false, reason: '' }, '<A icon={X} size="sm" busy />'],
  [{ count: 3, label: 'Say "yes"' }, '<A icon={X} count={3} label={"Say \\"yes\\""} />'],
  [{ children: 'Delete', size: 'sm' }, '<A icon={X} size="sm">\n  Delete\n</A>'],
  [{ title: 't'.repeat(80) }, `<A icon={X}\n  title="${'t'.repeat(80)}"\n/>`],
])('the code of a story is shown with the props %j', (values, code) => {
  expect(withValues('<A icon={X} {...props} />', values)).toBe(code)
})
