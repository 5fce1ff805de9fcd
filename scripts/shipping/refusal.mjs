/** The reason why a command refuses; printed without a stack trace. */
export class Refusal extends Error {
  /** @override */
  name = 'Refusal'
}
