import type { StatusDisplay } from './status.ts'

/* Texts about settlements, which are loaded only with their screens. */

const kinds = {
  not_settled: { label: 'Not settled', tone: 'warning', icon: 'hourglass' },
  unknown_here: { label: 'Not in the portal', tone: 'danger', icon: 'question' },
  amount_differs: { label: 'Amount differs', tone: 'danger', icon: 'warning' },
  fee_differs: { label: 'Fee differs', tone: 'warning', icon: 'warning' },
  deduction: { label: 'Deduction', tone: 'warning', icon: 'warning' },
  total_differs: { label: 'Total differs', tone: 'danger', icon: 'warning' },
} as const satisfies Record<string, StatusDisplay>

export type DifferenceKind = keyof typeof kinds

/** Returns the label of a kind of difference between a settlement and the ledger. */
export const differenceDisplay = (kind: DifferenceKind): StatusDisplay => kinds[kind]

const reasons: Readonly<Record<DifferenceKind, string>> = {
  not_settled: 'Paid, but not in any settlement yet. Ask the gateway, or upload the report that includes it.',
  unknown_here: 'The gateway paid out a payment that is not in the portal or its ledger.',
  amount_differs: 'The settled amount differs from the ledger.',
  fee_differs: 'The gateway kept a different fee than it reported before. The ledger has the new one.',
  deduction: 'The gateway deducted a refund, chargeback or charge that is not in the ledger.',
  total_differs: 'The gateway paid out a different amount than the total of the lines.',
}

/** Explains a kind of difference and what to do about it. */
export const differenceReason = (kind: DifferenceKind): string => reasons[kind]

const states = {
  open: { label: 'Open', tone: 'warning', icon: 'hourglass' },
  explained: { label: 'Explained', tone: 'success', icon: 'tick' },
  resolved: { label: 'Resolved', tone: 'success', icon: 'tick' },
} as const satisfies Record<string, StatusDisplay>

export const differenceStateDisplay = (state: keyof typeof states): StatusDisplay => states[state]

const lines = {
  payment: 'Payment',
  refund: 'Refund',
  chargeback: 'Chargeback',
  adjustment: 'Adjustment',
} as const

export const lineKindLabel = (kind: keyof typeof lines): string => lines[kind]
