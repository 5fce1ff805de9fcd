import type { Ports } from '../ports.ts'

/** Style sheets of the shell, which have the tokens and fonts; none if no front ends were built. */
export async function shellStyles({ assets }: Ports, request: Request): Promise<string[]> {
  const response = await assets.get('/index.html', new Request(request.url))
  const text = response?.status === 200 ? await response.text() : ''
  return [...text.matchAll(/href="(\/css\/[\w.-]+\.css)"/g)].map(([, file = '']) => file)
}
