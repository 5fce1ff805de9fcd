import { fold } from '@portal/format/folding'

/** Whether a text has what was searched for, as the API compares: case, diacritics and further blanks do not matter. */
export const contains = (text: string, search: string) =>
  fold(text).includes(fold(search.trim().replace(/\s+/g, ' ')))
