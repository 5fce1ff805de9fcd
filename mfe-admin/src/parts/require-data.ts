import { ApiError } from '@portal/api/error'
import { UNEXPECTED_ERROR } from '@portal/contract/errors'

/**
 * Returns a `select` function for a query, which throws if the response lacks the required data. The screen then shows an
 * error, instead of loading forever or showing a default that was never set.
 */
export const requireData =
  <Data>(requiredPart: (data: Data) => unknown) =>
  (data: Data): Data => {
    if (data === null || (requiredPart(data) ?? null) === null)
      throw new ApiError(UNEXPECTED_ERROR, { status: 200 })
    return data
  }
