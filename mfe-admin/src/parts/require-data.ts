import { ApiError } from '@portal/api/error'
import { UNEXPECTED_ERROR } from '@portal/contract/errors'

/**
 * For a query's `select`: throws if the response lacks the required data, so that the screen shows an error instead of
 * loading forever or showing a default that was never set.
 */
export const requireData =
  <Data>(part: (data: Data) => unknown) =>
  (data: Data): Data => {
    if (data === null || (part(data) ?? null) === null) throw new ApiError(UNEXPECTED_ERROR, { status: 200 })
    return data
  }
