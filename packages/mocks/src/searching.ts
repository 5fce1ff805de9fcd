import { fold } from '@portal/format/folding'

/** True if text contains the search term; ignores case, diacritics and extra spaces, like the API. */
export const contains = (text: string, search: string) =>
  fold(text).includes(fold(search.trim().replace(/\s+/g, ' ')))
