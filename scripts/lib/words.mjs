// Finds wording that the style guide in CONTRIBUTING.md advises against. This is advice: no check fails because of it.

/** Discouraged wording and what to write instead. */
const ADVICE = /** @type {[pattern: RegExp, instead: string][]} */ ([
  [/\b(no longer |still )?stands\b/i, 'is valid, remains'],
  [/\bwho(so)?ever\b/i, 'anyone who'],
  [/\bnobody\b/i, 'no one'],
  [/\btold\b/i, 'reported, notified'],
  [/\bbeside\b/i, 'next to, compared with'],
  [/\banew\b/i, 'again'],
  [/\bwhat is\b(?!.*\?)/i, 'name the thing'],
  [/\bmend(s|ed|ing)?\b/i, 'fix'],
  [/\b(of|on) (its|their) own\b/i, 'its own, separate'],
  [/\bat once\b/i, 'immediately, at a time'],
  [/\b(goes|go|going|went|due) back\b/i, 'is refunded, refund due'],
  [/\b(taken back|brought again)\b/i, 'charged back, chargeback reversed'],
  [/\baskers?\b/i, 'requester'],
  [/\b(some|any)body\b/i, 'someone, anyone'],
  [/\bcall-backs?\b/i, 'callback'],
  [/\blook-ups?\b/i, 'lookup'],
  [/\b(is|are|was|were) said\b/i, 'is shown, is reported'],
  [/\ball the same\b/i, 'anyway'],
  [/\bwhatever comes of\b/i, 'whatever the outcome'],
  [/\baccount holder\b/i, 'requester'],
  [/\bprocessor time\b/i, 'CPU time'],
  [/\bgiven up\b/i, 'abandoned, rejected'],
  [/\bupon one another\b/i, 'overlapping'],
  [/\bmeanwhile\b.*\blooked at\b/i, 'optimistic lock conflict'],
])

/** Returns advice about text, with one entry for each kind of discouraged phrase. @param {string} text */
export function adviceFor(text) {
  return ADVICE.flatMap(([pattern, instead]) => {
    const found = pattern.exec(text)
    return found ? [`"${found[0]}": ${instead}`] : []
  })
}

/** Returns the number of discouraged phrases in text. @param {string} text */
export const countPhrases = text =>
  ADVICE.reduce((sum, [{ source }]) => sum + (text.match(new RegExp(source, 'gi'))?.length ?? 0), 0)

/** Returns the prose of a source file: its comments, without their markers. @param {string} code */
export function commentsIn(code) {
  const found = code.match(/\/\*[\s\S]*?\*\/|(?<=^|[\s;{])\/\/.*$/gm) ?? []
  return found.map(comment => comment.replace(/^\/\*+|\*+\/$|^\s*\*|^\/\//gm, '')).join('\n')
}

/** Returns the titles of a test file's tests and groups. @param {string} code */
export function titlesIn(code) {
  const call = /^\s*(?:test|it|describe)(?:\.\w+(?:\((?:[^()]|\([^()]*\))*\))?)*\(\s*(['"`])(.*?)\1/gms
  return [...code.matchAll(call)].map(([, , title]) => title).join('\n')
}
