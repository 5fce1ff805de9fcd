/* Example programs of the guide for developers. They read API_KEY, WEBHOOK_SECRET and RECEIVER_PORT from the environment. */

export const curlExample = (portal: string) => `curl ${portal}/api/v1/verifications \\
  -H "Authorization: Bearer $API_KEY" \\
  -H 'Content-Type: application/json' \\
  -H 'Idempotency-Key: first-call-1' \\
  -d '{"certificate_number": "TEST/2020/001", "reference": "first call"}'`

export const pythonExample = (portal: string) => `import json, os, urllib.request

request = urllib.request.Request(
    "${portal}/api/v1/verifications",
    data=json.dumps({"certificate_number": "TEST/2020/001"}).encode(),
    headers={
        "Authorization": "Bearer " + os.environ["API_KEY"],
        "Content-Type": "application/json",
        "Idempotency-Key": "first-call-2",
    },
)
with urllib.request.urlopen(request) as response:
    reply = json.load(response)
print(reply["verification"]["result"], reply["letter"]["url"])`

export const typeScriptExample = (
  portal: string,
) => `import { createVerificationClient } from '@portal/client/client'

const client = createVerificationClient({ portal: '${portal}', key: process.env.API_KEY ?? '' })
const { data, error } = await client.POST('/v1/verifications', {
  body: { certificate_number: 'TEST/2020/001' },
})
if (error) throw new Error(error.error)
console.log(data.verification.result, data.letter?.url)`

export const pythonReceiver = `import base64, hashlib, hmac, json, os, time
from http.server import BaseHTTPRequestHandler, HTTPServer

secret = base64.b64decode(os.environ["WEBHOOK_SECRET"].removeprefix("whsec_"))

class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["content-length"]))
        event, sent = self.headers["webhook-id"], self.headers["webhook-timestamp"]
        signed = f"{event}.{sent}.".encode() + body
        expected = base64.b64encode(hmac.new(secret, signed, hashlib.sha256).digest())
        signatures = self.headers["webhook-signature"].encode().split()
        genuine = any(hmac.compare_digest(b"v1," + expected, signature) for signature in signatures)
        genuine = genuine and abs(time.time() - int(sent)) < 300
        self.send_response(204 if genuine else 400)
        self.end_headers()
        if genuine:
            print("genuine", json.loads(body)["type"], event, flush=True)

    def log_message(self, *_):
        pass

HTTPServer(("127.0.0.1", int(os.environ["RECEIVER_PORT"])), Receiver).serve_forever()`

export const nodeReceiver = `import { createHmac, timingSafeEqual } from 'node:crypto'
import { createServer } from 'node:http'

const secret = Buffer.from(process.env.WEBHOOK_SECRET.replace('whsec_', ''), 'base64')

createServer(async (request, response) => {
  const parts = []
  for await (const part of request) parts.push(part)
  const body = Buffer.concat(parts)
  const event = request.headers['webhook-id'] ?? ''
  const sent = request.headers['webhook-timestamp'] ?? ''
  const signed = Buffer.concat([Buffer.from(event + '.' + sent + '.'), body])
  const expected = Buffer.from('v1,' + createHmac('sha256', secret).update(signed).digest('base64'))
  const signatures = (request.headers['webhook-signature'] ?? '').split(' ').map(text => Buffer.from(text))
  const genuine =
    signatures.some(text => text.length === expected.length && timingSafeEqual(text, expected)) &&
    Math.abs(Date.now() / 1000 - Number(sent)) < 300
  response.writeHead(genuine ? 204 : 400).end()
  if (genuine) console.log('genuine', JSON.parse(body).type, event)
}).listen(Number(process.env.RECEIVER_PORT), '127.0.0.1')`
