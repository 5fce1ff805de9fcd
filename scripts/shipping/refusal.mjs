/** An error with the reason why a command refuses; it is printed without a stack trace. */
export class Refusal extends Error {
  /** @override */
  name = 'Refusal'
}
