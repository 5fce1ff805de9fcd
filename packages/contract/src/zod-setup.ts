import * as z from 'zod'

// zod compiles an object's checks with `new Function` unless told otherwise, and probes for it when it builds its first
// schema; in a page, under our policy without unsafe-eval, that is a reported violation. Servers compile: their replies
// are parsed several times as fast. Every module of the contract imports this one first.
z.config({ jitless: 'document' in globalThis })
