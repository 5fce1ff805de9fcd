/** Returns a pattern for `like … escape '\'` that matches texts that contain `text`. */
export const containsPattern = (text: string): string => `%${text.replace(/[\\%_]/g, '\\$&')}%`
