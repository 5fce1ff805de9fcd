import * as z from 'zod'

// By default, zod compiles object checks with `new Function`, and tests whether it can when the first schema is created; a CSP
// without unsafe-eval would report that as a violation. Servers keep the compilation, which makes parsing replies several times
// faster. Every module of the contract must import this one first.
z.config({ jitless: 'document' in globalThis })
