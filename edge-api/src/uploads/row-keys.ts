/** Maximum number of rows in an upload: far more than the largest body can contain. */
const MAX_ROWS = 2 ** 28

/**
 * Returns the key of the row at a position (from 1) of an upload. The rows of an upload have adjacent keys, in their order.
 */
export const rowId = (uploadSeq: number, position: number) => uploadSeq * MAX_ROWS + position
