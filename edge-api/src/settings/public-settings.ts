import type { ReplyIn } from '@portal/contract/route'
import type { verification } from '@portal/contract/verification'
import { toMajor } from '@portal/format/money'
import type { Reader } from '../db/database.ts'
import type { Environment } from '../environment.ts'
import { paymentMethodsOf } from '../environment-gateways.ts'
import { CURRENCY } from './rules.ts'
import { readSettings } from './store.ts'
import { toTaxColumns, toTaxRate } from './tax-line.ts'

/** Returns the settings that everyone may read, such as the fee and the institution's contact details. */
export async function readPublicSettings(
  db: Reader,
  environment: Environment,
): Promise<ReplyIn<typeof verification.settings>> {
  const { fee, tax, institution } = await readSettings(db)
  return {
    verification_fee: toMajor(fee.minor),
    currency: CURRENCY,
    ...toTaxRate({ amountMinor: fee.minor, taxName: null, taxBasisPoints: null, ...toTaxColumns(tax) }),
    institution,
    payment_methods: paymentMethodsOf(environment),
    test_payments: environment.PAYMENT_PROVIDER === 'sandbox',
  }
}
