import { createElement, createIsolatedRoot } from '@portal/mocks/panel-elements'
import { type Frame, loadSourceFrames } from './source-frames.ts'

/*
 * Shows errors over the page, with their names, messages and source files; for development only. In the portal, users see the
 * micro-frontend's fallback instead.
 */

const style = `
dialog {
  width: min(56rem, calc(100vw - 2rem)); max-height: calc(100dvh - 2rem); padding: 1.25rem; overflow: auto;
  color-scheme: light dark; color: CanvasText; background: Canvas;
  border: 2px solid light-dark(#b3261e, #ff8a80); border-radius: 0.75rem; font: 0.875rem/1.5 system-ui, sans-serif;
}
dialog::backdrop { background: rgb(0 0 0 / 0.5); }
h2 { margin: 0 0 0.75rem; font-size: 1rem; color: light-dark(#b3261e, #ff8a80); overflow-wrap: anywhere; }
p { margin: 0.75rem 0; }
pre, ol { margin: 0 0 0.75rem; padding: 0.5rem 0.75rem; overflow: auto; background: light-dark(#f3f3f3, #262626); }
pre, ol { font: 0.8125rem/1.5 ui-monospace, monospace; border-radius: 0.5rem; list-style: none; }
pre > * { display: block; min-height: 1lh; }
mark { color: inherit; background: light-dark(#fbd9d6, #5c2320); }
button { min-height: 2rem; padding: 0 0.875rem; font: inherit; cursor: pointer; }
`

const { host, shadowRoot } = createIsolatedRoot(style)
const dialog = createElement('dialog', { ariaLabel: 'Error in development' })
shadowRoot.append(dialog)

function codeOf({ file, line, code }: Frame): HTMLElement[] {
  const width = String(code.at(-1)?.number ?? 0).length
  const lines = code.map(({ number, text }) =>
    createElement(number === line ? 'mark' : 'span', {}, `${String(number).padStart(width)}  ${text}`),
  )
  return [
    createElement('p', {}, createElement('code', {}, `${file}:${line}`)),
    createElement('pre', {}, ...lines),
  ]
}

const readText = async (url: string) => (await fetch(url)).text()

async function show(error: Error): Promise<void> {
  const frames = await loadSourceFrames(error.stack ?? '', readText)
  const [first, ...others] = frames
  const close = createElement('button', { type: 'button', textContent: 'Close' })
  close.addEventListener('click', () => dialog.close())
  dialog.replaceChildren(
    createElement('h2', {}, `${error.name}: ${error.message}`),
    ...(first ? codeOf(first) : []),
    ...(others.length > 0
      ? [
          createElement(
            'ol',
            {},
            ...others.map(({ file, line }) => createElement('li', {}, `${file}:${line}`)),
          ),
        ]
      : []),
    createElement('p', {}, 'Shown in development only. It closes when the file is saved.'),
    close,
  )
  if (!host.isConnected) document.body.append(host)
  if (!dialog.open) dialog.showModal()
}

function showThrown(thrown: unknown) {
  if (thrown instanceof Error && thrown.name !== 'AbortError') void show(thrown)
}

addEventListener('error', event => showThrown(event.error))
addEventListener('unhandledrejection', event => showThrown(event.reason))
// Errors that an error boundary has caught (shell/src/federation/report.ts).
addEventListener('portal-error', event => showThrown((event as CustomEvent<unknown>).detail))
// The development server announces each update, which may have fixed the error.
addEventListener('message', ({ data }: MessageEvent<unknown>) => {
  if (String(data).startsWith('webpackHotUpdate')) dialog.close()
})
