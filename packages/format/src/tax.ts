/** A tax that is included in an amount; `basis_points` of 750 are 7.5 %. */
export interface Tax {
  name: string
  basis_points: number
}

/**
 * The tax within an amount that includes it, in minor units: rounded to the nearest one, halves away from zero, once for
 * the whole payment and not for each certificate.
 */
export function includedTax(minor: number, basisPoints: number): number {
  const whole = 10_000 + basisPoints
  const tax = Math.floor((2 * Math.abs(minor) * basisPoints + whole) / (2 * whole))
  return minor < 0 && tax > 0 ? -tax : tax
}

/** `VAT 7.5%`. */
export const taxLabel = ({ name, basis_points }: Tax): string => `${name} ${basis_points / 100}%`
