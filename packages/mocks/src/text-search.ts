import { fold } from '@portal/format/folding'

/** True if text contains the search term. Case, diacritics and extra spaces are ignored, as in the API. */
export const contains = (text: string, search: string) =>
  fold(text).includes(fold(search.trim().replace(/\s+/g, ' ')))
