/** Keys that sign nothing but the letters of tests. */
export const LETTER_KEY =
  '{"kty":"EC","x":"E5FzZEp6vNGLWA5_ZxPF2Ru_rib2TNAJBwEOsB6nL5M","y":"r1E1dQesbWqOoYOeJqBmfwsLMlDYpwN0tCJFpliviAM","crv":"P-256","d":"xmjyD0q6KsWe9f-3eX9Uhdc3UX0qR4SeWWr_7OQ4PpY"}'
export const OTHER_LETTER_KEY =
  '{"kty":"EC","x":"3b1D1ECKACfJfWHr01ooAkRiIML0g4_2lwMSnmdzZWw","y":"JoRL-4hzYtipWt8TRDDlJQO5dJSjB6uSqnClohgBk2c","crv":"P-256","d":"O6bqfbEerKnrR-vQyY6pqizwywVGa5qTGBQVD9QuHFQ"}'
