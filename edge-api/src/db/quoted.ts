/** A text in double quotes, as SQLite writes a name of its schema, and its text index a phrase. */
export const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`
