/** Maximum rows of an upload: far more than the largest body contains. */
const MAX_ROWS = 2 ** 28

/** Key of the row at `place` (from 1) of an upload: rows of an upload are adjacent, in their order. */
export const rowId = (uploadSeq: number, place: number) => uploadSeq * MAX_ROWS + place
