/*
 * Decides which files of the releases folder are public. The folder also contains the release log, which names operators, and
 * build records: only file names that a build produces for browsers are served (decision 064).
 */

/**
 * Matches the files that the build writes for browsers, following the output names in `rspack.config.ts`. It matches no path
 * separators and no compressed copies.
 */
const HASHED_FILE = String.raw`(?:js|css|assets)/[^/\\\0]+\.[0-9a-f]{8,}\.\w+`
/** The page, and the files of `shell/public`. */
const PAGE_FILES = [
  'index.html',
  'api-reference.html',
  'apple-touch-icon.png',
  'favicon.svg',
  'icon-192.png',
  'icon-512.png',
  'robots.txt',
  'site.webmanifest',
  'social-card.png',
]

const SHELL_FILE = new RegExp(`^shell/${HASHED_FILE}$`)
const RELEASE = new RegExp(
  String.raw`^mfe-[a-z0-9-]+/\w[\w.-]*/(?:(?:mf-manifest|pages)\.json|remoteEntry\.[0-9a-f]{8,}\.js|${HASHED_FILE})$`,
)

/** True if a file is public. @param file its path in the releases folder, with `/` between folders */
export const isPublicFile = (file: string): boolean =>
  file === 'remotes.json' ||
  PAGE_FILES.some(name => file === `shell/${name}`) ||
  SHELL_FILE.test(file) ||
  RELEASE.test(file)
