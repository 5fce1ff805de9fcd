// Writes `teams.json` in the format of the repository.

/**
 * Returns the text of `teams.json` for these teams.
 * @param {readonly object[]} teams
 * @returns {string}
 */
export const teamsText = teams =>
  `${JSON.stringify({ teams }, null, 2).replace(
    /\[\n\s+("[^{}[\]]*")\n\s+\]/g,
    (_, items) => `[${items.replace(/,\n\s+/g, ', ')}]`,
  )}\n`
