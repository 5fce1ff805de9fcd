/** A text in double quotes: a name in SQLite's schema, or a phrase in its text index. */
export const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`
