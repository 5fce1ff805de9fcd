/** Puts text in double quotes, for a name in SQLite's schema or a phrase in its text index. */
export const quote = (text: string) => `"${text.replaceAll('"', '""')}"`
