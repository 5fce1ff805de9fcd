/* Helpers for requests of the benchmarks: every request must succeed. */

type Headers = Record<string, string>

export async function getOk(url: string, headers: Headers): Promise<Response> {
  // Retries once: a long query in plain SQL blocks this process, so it may not notice in time that the server has closed an
  // idle connection.
  const response = await fetch(url, { headers }).catch(() => fetch(url, { headers }))
  if (!response.ok) throw new Error(`${url}: ${response.status} ${await response.text()}`)
  return response
}

// biome-ignore lint/suspicious/noExplicitAny: callers read replies of every shape.
export const json = (response: Response): Promise<any> => response.json()

export async function postOk(url: string, headers: Headers, body: object) {
  const response = await fetch(url, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  const reply = await json(response)
  if (!response.ok) throw new Error(`${url}: ${response.status} ${JSON.stringify(reply)}`)
  return reply
}

/**
 * Makes all calls in turn, `times` times, so that other work on the machine affects all of them.
 * @returns milliseconds, by call
 */
export async function callSequentially(
  times: number,
  calls: readonly (() => Promise<unknown>)[],
): Promise<number[][]> {
  const durations: number[][] = calls.map(() => [])
  for (let index = 0; index < times; index++)
    for (const [callIndex, call] of calls.entries()) {
      const started = performance.now()
      await call()
      durations[callIndex]?.push(performance.now() - started)
    }
  return durations
}
