import type { Statement } from '@portal/contract/organisation-billing'
import { formatShortDate } from '@portal/format/dates'
import { formatMinor, formatMoney } from '@portal/format/money'
import { formatMonth, invoiceDisplay } from '@portal/format/organisations'
import { buildEvidencePdf } from '@portal/letter/evidence'
import { toLetterhead } from '../settings/letterhead.ts'
import type { Settings } from '../settings/rules.ts'
import { CURRENCY } from '../settings/rules.ts'
import { formatInvoiceNumber } from './billing-rules.ts'
import type { InvoiceRow, MovementRow } from './billing-store.ts'

/* Creates invoices and statements as PDFs. */

type Institution = Settings['institution']

const splitAddress = (address: string) => address.split(', ')

/** Returns a pro-forma invoice for a top-up by bank transfer, as a PDF. */
export async function drawInvoicePdf(
  invoice: InvoiceRow,
  { institution, state }: { institution: Institution; state: string },
): Promise<Uint8Array<ArrayBuffer>> {
  const number = formatInvoiceNumber(invoice)
  const bank = invoice.bankDetails as string[]
  const amount = formatMinor(invoice.amountMinor, CURRENCY)
  return await buildEvidencePdf({
    title: `Invoice ${number}`,
    ...toLetterhead(institution),
    sections: [
      {
        facts: [
          ['Date', formatShortDate(invoice.createdAt)],
          ['Due on', formatShortDate(Date.parse(invoice.dueOn))],
          ['Status', invoiceDisplay(state).label],
        ],
      },
      { heading: 'To', lines: splitAddress(String(invoice.addressee)) },
      {
        heading: 'Amount',
        table: {
          columns: [
            { label: 'Description', share: 0.7 },
            { label: 'Amount', share: 0.3, align: 'end' },
          ],
          rows: [['Top-up of the prepaid balance', amount]],
          total: ['Amount due', amount],
        },
      },
      { heading: 'Pay by bank transfer to', lines: bank, facts: [['Payment reference', number]] },
    ],
    letters: [],
    at: new Date(invoice.createdAt),
  })
}

/** Returns a monthly statement with all its lines, as a PDF. */
export async function drawStatementPdf({
  organisation,
  statement,
  lines,
  institution,
  at,
}: {
  organisation: { name: string; address: string }
  statement: Statement
  lines: readonly Pick<MovementRow, 'at' | 'description' | 'amountMinor' | 'balanceAfterMinor'>[]
  institution: Institution
  at: number
}): Promise<Uint8Array<ArrayBuffer>> {
  const formatAmount = (amount: number) => formatMoney(amount, CURRENCY)
  return await buildEvidencePdf({
    title: `Statement for ${formatMonth(statement.month)}`,
    ...toLetterhead(institution),
    sections: [
      { heading: organisation.name, lines: splitAddress(organisation.address).slice(1) },
      {
        heading: statement.final ? 'Summary' : 'Summary (the month has not ended)',
        facts: [
          ['Opening balance', formatAmount(statement.opening)],
          ['Credits', formatAmount(statement.credits)],
          ['Debits', formatAmount(statement.debits)],
          ['Closing balance', formatAmount(statement.closing)],
        ],
      },
      {
        heading: 'Movements',
        table: {
          columns: [
            { label: 'Date', share: 0.16 },
            { label: 'Movement', share: 0.44 },
            { label: 'Amount', share: 0.2, align: 'end' },
            { label: 'Balance', share: 0.2, align: 'end' },
          ],
          rows: lines.map(line => [
            formatShortDate(line.at),
            line.description,
            formatMinor(line.amountMinor, CURRENCY),
            formatMinor(line.balanceAfterMinor, CURRENCY),
          ]),
        },
      },
    ],
    letters: [],
    at: new Date(at),
  })
}
