/** A pattern for `like … escape '\'` that matches text which contains `text`. */
export const containsPattern = (text: string): string => `%${text.replace(/[\\%_]/g, '\\$&')}%`
