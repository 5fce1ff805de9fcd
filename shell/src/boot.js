// Runs before the first paint, so that a chosen theme never flashes the other one.
try {
  const { dataset } = document.documentElement
  const { search, hash } = location
  // A static page that its code would change immediately is hidden until then (static-page.tsx): if the address
  // or the history entry requires more than it shows, or if someone is signed in.
  if (/[?&](?!utm_)/.test(search) || /^#(?:\/|verify$)/.test(hash) || history.state?.usr) dataset.held = ''
  const theme = localStorage.getItem('portal-theme')
  if (theme === 'light' || theme === 'dark') dataset.theme = theme
  if (localStorage.getItem('token')) dataset.held = ''
} catch {
  // Without storage, the system's preference applies.
}

// A style sheet added by a script does not block rendering: the institution's colour is applied when it arrives.
setTimeout(() => {
  const brand = document.querySelector('link[rel="stylesheet"][href="/api/brand.css"]')
  if (!brand || brand.sheet) return
  brand.remove()
  document.head.append(Object.assign(document.createElement('link'), { rel: 'stylesheet', href: brand.href }))
}, 1000)

if (document.currentScript.dataset.early === 'paint') {
  // On a static page, the server puts the shell's script here: it is requested after the first paint.
  const code = document.querySelector('template')
  const early = {}
  globalThis.portalEarly = early

  // Fetches the files that the shell will need next: the live releases, the manifest of the public pages and, on
  // the landing page, the files of its first screen. The shell retries failed requests and reports errors.
  const json = (url, options) =>
    fetch(url, { ...options, signal: AbortSignal.timeout(5000) }).then(answer =>
      answer.ok ? answer.json() : Promise.reject(answer.status),
    )
  const request = () => {
    early.config = json('/config/remotes.json', { cache: 'no-cache' })
    const { pathname } = location
    early.config
      .then(({ remotes }) => {
        if (pathname.startsWith('/dashboard')) return
        const live = remotes.find(({ name }) => name === 'mfe-public')
        // The same choice as in federation/choose.ts.
        const { canary } = live
        const part = /portal-part=([\d.]+)/.exec(document.cookie)?.[1]
        const remote = canary && part < canary.percent ? canary : live
        early.manifest = json(remote.manifest, { credentials: 'omit', integrity: remote.integrity.manifest })
        early.manifestOf = remote.manifest
        early.manifest.catch(() => undefined)
        for (const { path, integrity } of remote.first)
          if (pathname === '/' || integrity === remote.integrity.entry)
            document.head.append(
              Object.assign(document.createElement('link'), {
                rel: 'preload',
                as: path.endsWith('.css') ? 'style' : 'script',
                crossOrigin: 'anonymous',
                integrity,
                href: path,
              }),
            )
      })
      .catch(() => undefined)
  }

  // Shows a notice over the page. Without `retry`, hides it for good: the shell runs, and reports failures itself.
  let defaultText, running
  early.notice = (retry, text) => {
    const notice = document.querySelector('.unavailable')
    const [words, button] = notice.children
    defaultText ??= words.textContent
    words.textContent = text ?? defaultText
    button.onclick = () => {
      notice.hidden = true
      retry()
    }
    notice.hidden = !retry
    running ||= !retry
  }
  // A script that may still arrive must not run twice.
  const failed = late => running || early.notice(code && !late ? load : () => location.reload())
  addEventListener(
    'error',
    // The shell's script did not arrive, or threw.
    ({ target, filename = target.src }) => {
      if (!/\/shell\.[\w.]*js$/.test(filename)) return
      clearTimeout(timer)
      failed()
    },
    true,
  )

  // Each copy of the script runs.
  let timer
  const load = () => {
    document.head.append(code.content.cloneNode(true))
    timer = setTimeout(failed, 15000, true)
  }
  let begun
  const begin = () => {
    if (begun) return
    begun = true
    request()
    load()
  }
  if (code)
    // The shell needs the whole document.
    addEventListener('DOMContentLoaded', () => {
      if ('held' in document.documentElement.dataset) begin()
      else new PerformanceObserver(begin).observe({ type: 'paint', buffered: true })
      setTimeout(begin, 3000)
    })
  else request()

  // On a static page, a press of a button, or of Enter in a field, waits until the page is live.
  const wait = (type, selector) =>
    addEventListener(
      type,
      event => {
        const pressed = event.target.closest(`#root[data-release] ${selector}`)
        if (!pressed || (event.key ?? 'Enter') !== 'Enter') return
        event.preventDefault()
        event.stopPropagation()
        early.press = pressed
      },
      true,
    )
  wait('click', ':is(button, label:has([type="radio"]))')
  wait('keydown', 'input')
}
