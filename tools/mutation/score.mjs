/**
 * How many of the mutants a test noticed, in percent. One that makes the tests wait for ever is noticed; one that
 * cannot be run at all says nothing.
 * @param {readonly { status: string }[]} mutants
 * @returns {{ killed: number, survived: number, score: number }}
 */
export function scoreOf(mutants) {
  const count = (...statuses) => mutants.filter(({ status }) => statuses.includes(status)).length
  const killed = count('Killed', 'Timeout')
  const survived = count('Survived', 'NoCoverage')
  return { killed, survived, score: killed + survived === 0 ? 100 : (killed / (killed + survived)) * 100 }
}
