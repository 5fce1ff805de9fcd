import * as z from 'zod'

// Unless disabled, zod compiles object checks with `new Function`, and probes for it with its first schema; under a CSP
// without unsafe-eval, that is reported as a violation. Servers keep compilation, which makes replies several times
// faster to parse. Every module of the contract imports this one first.
z.config({ jitless: 'document' in globalThis })
