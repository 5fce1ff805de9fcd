import { WAIT_HANGS } from '@portal/fixtures/hang-guards'

/** For `vi.waitFor` in the tests of the payment service, which import nothing from the product. */
export const waitOptions = { timeout: WAIT_HANGS, interval: 10 }
