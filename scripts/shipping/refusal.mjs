/** Why a command does nothing; told as it is, without a stack. */
export class Refusal extends Error {
  /** @override */
  name = 'Refusal'
}
