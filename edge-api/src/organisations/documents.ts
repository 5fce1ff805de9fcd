import type { Statement } from '@portal/contract/organisation-billing'
import { formatShortDate } from '@portal/format/dates'
import { formatMinor, formatMoney } from '@portal/format/money'
import { evidencePdf } from '@portal/letter/evidence'
import type { Settings } from '../settings/rules.ts'
import { CURRENCY } from '../settings/rules.ts'
import { invoiceNumber } from './billing-rules.ts'
import type { InvoiceRow, MovementRow } from './billing-store.ts'

/* Invoices and statements as PDF. */

type Institution = Settings['institution']

const linesOf = (address: string) => address.split(', ')

/** A pro-forma invoice for a top-up by bank transfer. */
export async function invoicePdf(
  invoice: InvoiceRow,
  { institution, state }: { institution: Institution; state: string },
): Promise<Uint8Array<ArrayBuffer>> {
  const number = invoiceNumber(invoice)
  const bank = invoice.bankDetails as string[]
  return await evidencePdf({
    title: `Invoice ${number}`,
    institution: institution.name,
    sections: [
      { heading: 'From', lines: [institution.name, institution.address, institution.support_email] },
      { heading: 'To', lines: linesOf(String(invoice.addressee)) },
      {
        heading: 'Top-up of the prepaid balance',
        lines: [
          `Amount: ${formatMinor(invoice.amountMinor, CURRENCY)}`,
          `Date: ${formatShortDate(invoice.createdAt)}`,
          `Due on: ${formatShortDate(Date.parse(invoice.dueOn))}`,
          `Status: ${state}`,
        ],
      },
      { heading: 'Pay by bank transfer to', lines: [...bank, `Payment reference: ${number}`] },
    ],
    letters: [],
    at: new Date(invoice.createdAt),
  })
}

/** A monthly statement with all its lines. */
export async function statementPdf({
  organisation,
  statement,
  lines,
  institution,
  at,
}: {
  organisation: { name: string; address: string }
  statement: Statement
  lines: readonly MovementRow[]
  institution: Institution
  at: number
}): Promise<Uint8Array<ArrayBuffer>> {
  const money = (amount: number) => formatMoney(amount, CURRENCY)
  return await evidencePdf({
    title: `Statement ${statement.month}`,
    institution: institution.name,
    sections: [
      { heading: organisation.name, lines: linesOf(organisation.address).slice(1) },
      {
        heading: statement.final ? 'Summary' : 'Summary (the month has not ended)',
        lines: [
          `Opening balance: ${money(statement.opening)}`,
          `Credits: ${money(statement.credits)}`,
          `Debits: ${money(statement.debits)}`,
          `Closing balance: ${money(statement.closing)}`,
        ],
      },
      {
        heading: 'Movements',
        lines: lines.map(
          line =>
            `${formatShortDate(line.at)}   ${line.description}   ${formatMinor(line.amountMinor, CURRENCY)}   Balance ${formatMinor(line.balanceAfterMinor, CURRENCY)}`,
        ),
      },
    ],
    letters: [],
    at: new Date(at),
  })
}
