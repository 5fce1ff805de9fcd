import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/*
 * The basis of every fake gateway: a real HTTP server that sends the fake's response, or simulates a fault. Fakes follow what
 * the gateways publish, and import nothing from the product.
 */

/** Simulated faults of the gateway's API; its pages for payers keep working. */
export type Fault =
  | '400'
  | '404 page'
  | '429'
  | '500'
  | 'hang'
  | 'html'
  | 'truncated'
  | 'empty object'
  | 'huge'
  | 'redirect'
  | 'closed'

export interface ReceivedRequest {
  method: string
  path: string
  query: URLSearchParams
  headers: IncomingHttpHeaders
  body: string
}

export interface Reply {
  status: number
  /** The body: text is sent as a page, anything else as JSON. */
  body: unknown
}

export interface FakeServer {
  url: string
  requests: ReceivedRequest[]
  fault: Fault | undefined
  /** The reference of a payment that the gateway does not find until this is cleared. */
  lostReference?: string | undefined
  /** Runs once the gateway has done its work, before its response is sent. */
  beforeReply?: ((request: ReceivedRequest) => Promise<void>) | undefined
  /** Paths of the calls that the fault affects; if omitted, it affects all calls. */
  affectedPaths?: RegExp
  close(): Promise<void>
}

/**
 * The interface of a fake gateway for the conformance suite. Amounts are kobo; `end` is the gateway's own word
 * or code for how the payment ended.
 */
export interface FakeGateway {
  server: FakeServer
  /** Returns the kobo requested from the payer, or undefined if no such order arrived. */
  requestedAmount(reference: string): number | undefined
  /** Ends the payment of an order that the gateway has received. */
  endPayment(reference: string, finalStatus: string, report?: Report): void
  /** Returns a callback about the payment as the gateway would send it, signed with `secret`. */
  callBack(reference: string, secret: string): { raw: string; headers: Record<string, string> }
}

/** Values that the gateway reports instead of a payment's real ones. */
export interface Report {
  amount?: number
  currency?: string
  reference?: string
  mode?: 'test' | 'live'
  /** The gateway's fee, if it reports one. */
  fees?: number
}

/** Size of an oversized response, in bytes. */
const HUGE_BODY_BYTES = 10 * 1024 * 1024

/** Starts a server on a free port of this machine. `isPage` selects the pages for payers, which never fail. */
export async function startFakeServer(
  handle: (request: ReceivedRequest) => Reply,
  isPage: (path: string) => boolean,
): Promise<FakeServer> {
  const fake: FakeServer = { url: '', requests: [], fault: undefined, close: async () => undefined }
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = []
    for await (const part of request) parts.push(part)
    const hideLostReference = (text: string) =>
      fake.lostReference ? text.replaceAll(fake.lostReference, 'CVNOWHERE000000') : text
    const { pathname: path, searchParams: query } = new URL(
      hideLostReference(request.url ?? '/'),
      'http://fake',
    )
    const body = hideLostReference(Buffer.concat(parts).toString())
    const received = { method: request.method ?? '', path, query, headers: request.headers, body }
    fake.requests.push(received)
    if (path === '/elsewhere') return send(response, { status: 200, body: {} })
    const isAffected = !isPage(path) && (fake.affectedPaths?.test(path) ?? true)
    const fault = isAffected ? fake.fault : undefined
    // A gateway that hangs or whose response is lost has often already done its work.
    const reply = fault === '400' || fault === '500' ? { status: 0, body: {} } : handle(received)
    await fake.beforeReply?.(received)
    // Reads the fault again, because `beforeReply` can set it.
    replyWithFault(response, reply, isAffected ? fake.fault : undefined)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  fake.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  fake.close = async () => {
    server.closeAllConnections()
    await new Promise(resolve => server.close(resolve))
  }
  return fake
}

function send(response: ServerResponse, { status, body }: Reply): void {
  const isPage = typeof body === 'string'
  sendText(response, status, isPage ? body : JSON.stringify(body), isPage ? 'text/html' : 'application/json')
}

function sendText(response: ServerResponse, status: number, text: string, type = 'application/json'): void {
  response.writeHead(status, { 'content-type': type, ...(status === 302 && { location: '/elsewhere' }) })
  response.end(text)
}

const buildFailure = (message: string) => ({ status: false, message })

function replyWithFault(response: ServerResponse, reply: Reply, fault: Fault | undefined): void {
  const json = JSON.stringify(reply.body)
  const faults: Record<Fault, () => void> = {
    '400': () => send(response, { status: 400, body: buildFailure('Invalid request') }),
    '404 page': () => send(response, { status: 404, body: '<!doctype html><title>Not Found</title>' }),
    '429': () => send(response, { status: 429, body: buildFailure('Too many requests') }),
    '500': () => send(response, { status: 500, body: buildFailure('Broken') }),
    hang: () => undefined,
    html: () => send(response, { status: 200, body: '<!doctype html><title>Maintenance</title>' }),
    truncated: () => sendText(response, reply.status, json.slice(0, Math.floor(json.length / 2))),
    'empty object': () => send(response, { status: 200, body: {} }),
    // This is valid JSON: only its size is wrong.
    huge: () =>
      sendText(response, reply.status, `${json.slice(0, -1)},"padding":"${'x'.repeat(HUGE_BODY_BYTES)}"}`),
    redirect: () => sendText(response, 302, json),
    closed: () => response.destroy(),
  }
  if (fault) faults[fault]()
  else send(response, reply)
}
