/*
 * A script that hangs blocks its address: browsers make a second request for the same address wait for the first one, and
 * loaders find the old element and wait too. After a failure, the remote's scripts are therefore requested with other
 * addresses. Servers ignore the query, and the integrity stays the same.
 */
const attempts = new Map<string, number>()

/** Returns the folder of a release, which all of its files share. */
const folderOf = (manifest: string) => new URL('.', new URL(manifest, location.href)).href

/** Makes the remote of this manifest use new addresses from now on, and drops requests that hang. */
export function retryWithoutCache(manifest: string): void {
  const folder = folderOf(manifest)
  attempts.set(folder, (attempts.get(folder) ?? 0) + 1)
  // Loaders remove a script once it has loaded or failed, and mark a style sheet until then, so any that remains is hanging.
  for (const script of document.querySelectorAll('script')) {
    if (script.src.startsWith(folder)) script.remove()
  }
  for (const style of document.querySelectorAll<HTMLLinkElement>('link[data-rspack-loading]')) {
    if (style.href.startsWith(folder)) style.remove()
  }
}

/** Returns the address to load: unchanged, or with the number of the attempt. */
export function uncachedUrl(url: string): string {
  const { href } = new URL(url, location.href)
  for (const [folder, attempt] of attempts) {
    if (href.startsWith(folder) && !href.includes('?')) return `${href}?attempt=${attempt}`
  }
  return url
}
