/*
 * Extracts the code of stories from their files. This relies on the formatter: a function ends with a brace at the start of a
 * line.
 */

/** Returns the code of a story: the expression that its function returns, or the whole function if it has other statements. */
export function codeOf(text: string, name: string): string {
  const [code = ''] = new RegExp(`^export function ${name}\\b[\\s\\S]*?\\n\\}\\n`, 'm').exec(text) ?? []
  const body = /^export function \w+\(.*\) \{\n {2}return (?:\(\n([\s\S]*)\n {2}\)|(.*))\n\}\n$/.exec(code)
  if (body?.[1] !== undefined) return body[1].replace(/^ {4}/gm, '')
  return body?.[2] ?? code.replace(/^export /, '').trimEnd()
}

/** Returns the lines of a file that import components. */
export const importsOf = (text: string) =>
  (text.match(/^import (?:\{[^}]*\}|\S+) from '@portal\/ui\/[\w-]+'$/gm) ?? []).join('\n')

const attribute = ([name, value]: readonly [string, unknown]) => {
  if (value === true) return name
  return typeof value === 'string' && !value.includes('"')
    ? `${name}="${value}"`
    : `${name}={${JSON.stringify(value)}}`
}

/** Returns the code of a playground with these values as props. Props that are off or empty are left out. */
export function withValues(code: string, values: Readonly<Record<string, unknown>>): string {
  const shownProps = Object.entries(values).filter(([, value]) => value !== '' && value !== false)
  const attributes = shownProps.filter(([name]) => name !== 'children').map(attribute)
  const children = shownProps.find(([name]) => name === 'children')?.[1]
  return code.replace(/<(\w+)([^>]*?) \{\.\.\.props\} \/>/, (_, tag, others) => {
    const oneLine = `<${[tag + others, ...attributes].join(' ')}`
    const start = oneLine.length < 80 ? oneLine : `<${[tag + others, ...attributes].join('\n  ')}\n`
    if (children === undefined) return start.endsWith('\n') ? `${start}/>` : `${start} />`
    return `${start}>\n  ${children}\n</${tag}>`
  })
}
