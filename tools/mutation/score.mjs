/**
 * Returns the mutation score in percent. Mutants that time out count as detected; those that cannot run are ignored.
 * @param {readonly { status: string }[]} mutants
 * @returns {{ killed: number, survived: number, score: number }}
 */
export function computeScore(mutants) {
  const count = (...statuses) => mutants.filter(({ status }) => statuses.includes(status)).length
  const killed = count('Killed', 'Timeout')
  const survived = count('Survived', 'NoCoverage')
  return { killed, survived, score: killed + survived === 0 ? 100 : (killed / (killed + survived)) * 100 }
}
