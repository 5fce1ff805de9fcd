import { WAIT_TIMEOUT_MS } from '@portal/fixtures/hang-guards'

/** Options of `vi.waitFor` for the tests of the payment service, which import nothing from the product. */
export const waitOptions = { timeout: WAIT_TIMEOUT_MS, interval: 10 }
