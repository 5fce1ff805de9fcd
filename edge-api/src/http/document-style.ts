/**
 * Returns the basic style sheet of a document that the API itself serves, at most `width` wide. It uses the custom properties
 * and fonts of the shell's style sheet or, if no front ends were built, the browser's defaults.
 */
export const documentStyle = (width: string): string => `:root { color-scheme: light dark; }
body {
  max-width: ${width};
  margin: 0 auto;
  padding: 2rem 1rem 4rem;
  background: var(--paper, Canvas);
  color: var(--ink, CanvasText);
  font: 1rem/1.55 var(--font-sans, system-ui, sans-serif);
}
h1, h2, caption { font-family: var(--font-serif, Georgia, serif); font-weight: 600; line-height: 1.2; }
h1 { font-size: 2rem; }
h2 { font-size: 1.25rem; }
code { font-family: var(--font-mono, ui-monospace, monospace); font-size: .875em; }
a { color: var(--brand-ink, LinkText); text-underline-offset: .18em; }
:focus-visible { outline: 2px solid var(--focus, Highlight); outline-offset: 2px; }`
