import { ApiError } from '@portal/api/error'
import { UNEXPECTED_ERROR } from '@portal/contract/errors'

/**
 * For a query's `select`: an answer without what its screen is about is a failure, as any other, and the screen says so.
 * Else it would look as if it were loading for ever, or show a setting that nobody chose.
 */
export const having =
  <Data>(part: (data: Data) => unknown) =>
  (data: Data): Data => {
    if (data === null || (part(data) ?? null) === null) throw new ApiError(UNEXPECTED_ERROR, { status: 200 })
    return data
  }
