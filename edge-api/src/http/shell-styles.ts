import type { Ports } from '../ports.ts'

/**
 * Returns the shell's style sheets, which contain the custom properties and fonts, or none if no front ends were built.
 */
export async function shellStyles({ assets }: Ports, request: Request): Promise<string[]> {
  const response = await assets.get('/index.html', new Request(request.url))
  const text = response?.status === 200 ? await response.text() : ''
  return [...text.matchAll(/href="(\/css\/[\w.-]+\.css)"/g)].map(([, file = '']) => file)
}
