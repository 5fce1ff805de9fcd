/* Made by packages/letter/scripts/coverage.mjs from the faces of the letter. Code points in hexadecimal. */

/** Print as they are. */
export const printed =
  '20-7e a1-ac ae-19a 19c-23e 241-24f 253-25b 25d-260 262-263 267-269 26d-270 272-27c 27e-281 283-286 288-29c 29f-2ff 370-373 375-377 37a-37d 37f 384-386 388-38a 38c 38e-3a1 3a3-3e1 3f0-45f 1e00-1eff 2010-2027 2030-2044 20a0-20bf 2113 2116 2122 2212 2215'
/** Print on a letter, in any combination. */
export const marks = '300-314 316-319 31c-333 339-33f 342 346-34e 350-357 359-35b'
/** Letters that take no mark. */
export const bare =
  'b5 38f-390 393-394 398 39b 39e 3a0 3a3 3a6 3a8-3a9 3ad 3af-3b0 3b2-3b6 3b8-3be 3c0-3c8 3ca-3cb 3cd 3d0-3d1 3d5-3d7 3db 3f1 3fc 2113'
/** Other letters with a mark that they do not take. */
export const unplaced = '25e+302 29a+302 252+303 28a+309 262+30c 299+30c 29e+30c'
