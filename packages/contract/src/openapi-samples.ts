import * as z from 'zod'
import type { Route } from './route.ts'

/** Returns a sample call in TypeScript with plain `fetch`, for `x-codeSamples`. */
export function typeScriptSample(route: Route, server: string, example: unknown): string {
  const isFile = route.reply instanceof z.ZodString
  const headers = [
    // biome-ignore lint/suspicious/noTemplateCurlyInString: this is text of the sample
    ...(route.access === 'public' ? [] : ['Authorization: `Bearer ${token}`']),
    ...(route.body ? ["'Content-Type': 'application/json'"] : []),
  ]
  const options = [
    ...(route.method === 'GET' ? [] : [`method: '${route.method}'`]),
    ...(headers.length > 0 ? [`headers: { ${headers.join(', ')} }`] : []),
    ...(route.body ? [`body: JSON.stringify(${formatLiteral(example)})`] : []),
    ...(route.multipart ? ['body: form'] : []),
  ]
  const hasPathParameter = route.path.includes('{')
  // biome-ignore lint/suspicious/noTemplateCurlyInString: this is text of the sample
  const path = route.path.replace(/\{(\w+)\}/g, '${encodeURIComponent($1)}')
  const quote = hasPathParameter ? '`' : "'"
  const address = `${quote}${server}${path}${quote}`
  const call =
    options.length > 0
      ? `fetch(${address}, {\n${options.map(option => `  ${option},\n`).join('')}})`
      : `fetch(${address})`
  return [
    ...(route.multipart ? ['const form = new FormData()', `form.set('${route.multipart}', file)`, ''] : []),
    `const response = await ${call}`,
    isFile
      ? 'if (!response.ok) throw new Error((await response.json()).code)'
      : 'const reply = await response.json()',
    isFile ? 'const content = await response.blob()' : 'if (!response.ok) throw new Error(reply.code)',
  ].join('\n')
}

/** Formats a value as TypeScript, indented and without quotes around plain keys. */
const formatLiteral = (value: unknown) =>
  JSON.stringify(value, null, 2)
    .replace(/"(\w+)":/g, '$1:')
    .replaceAll('\n', '\n  ')
