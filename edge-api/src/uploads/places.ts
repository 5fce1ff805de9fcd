/** Rows that an upload may have: far more than the largest body contains. */
const ROWS = 2 ** 28

/** Key of the row at `place` (from 1) of an upload: rows of an upload are adjacent, in their order. */
export const rowId = (uploadSeq: number, place: number) => uploadSeq * ROWS + place
