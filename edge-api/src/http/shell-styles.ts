import type { Ports } from '../ports.ts'

/** Style sheets of the shell, which have the tokens and fonts; none if no front ends were built. */
export async function shellStyles({ assets }: Ports, request: Request): Promise<string[]> {
  const answer = await assets.get('/index.html', new Request(request.url))
  const text = answer?.status === 200 ? await answer.text() : ''
  return [...text.matchAll(/href="(\/css\/[\w.-]+\.css)"/g)].map(([, file = '']) => file)
}
