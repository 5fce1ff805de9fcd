/** A tax that is included in an amount; 750 `basis_points` are 7.5%. */
export interface Tax {
  name: string
  basis_points: number
}

/**
 * Returns the tax that is included in an amount, in minor units. It is rounded half away from zero, and once for the whole
 * payment rather than for each certificate.
 */
export function includedTax(minor: number, basisPoints: number): number {
  const whole = 10_000 + basisPoints
  const tax = Math.floor((2 * Math.abs(minor) * basisPoints + whole) / (2 * whole))
  return minor < 0 && tax > 0 ? -tax : tax
}

/** Formats as `VAT 7.5%`. */
export const taxLabel = ({ name, basis_points }: Tax): string => `${name} ${basis_points / 100}%`
