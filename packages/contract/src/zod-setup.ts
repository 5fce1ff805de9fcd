import * as z from 'zod'

// zod compiles object checks with `new Function` unless disabled, and probes for it with its first schema; under the
// CSP without unsafe-eval, that is a reported violation. Servers keep compilation, which makes replies several times
// faster to parse. Every module of the contract imports this one first.
z.config({ jitless: 'document' in globalThis })
