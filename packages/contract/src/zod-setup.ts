import * as z from 'zod'

// zod probes `new Function` when it builds its first schema; under our policy without unsafe-eval that is a
// reported violation. Every module of the contract imports this one first.
z.config({ jitless: true })
