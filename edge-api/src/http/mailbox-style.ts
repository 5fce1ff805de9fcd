/**
 * Style sheet of `/mailbox`, based on the portal's tokens and fonts in the shell's style sheet. Without built front ends the
 * browser's own colours and fonts are used.
 */
export const mailboxStyle = `:root { color-scheme: light dark; }
* { box-sizing: border-box; }
body {
  max-width: 46rem;
  margin: 0 auto;
  padding: 2rem 1rem 4rem;
  background: var(--paper, Canvas);
  color: var(--ink, CanvasText);
  font: 1rem/1.55 var(--font-sans, system-ui, sans-serif);
  overflow-wrap: anywhere;
}
h1, h2 { margin: 0; font-family: var(--font-serif, Georgia, serif); font-weight: 600; line-height: 1.2; }
h1 { font-size: 2rem; }
h2 { font-size: 1.25rem; }
code { font-family: var(--font-mono, ui-monospace, monospace); font-size: 0.875em; }
header p { margin: 0.5rem 0 1.25rem; color: var(--ink-muted, inherit); }
form { display: flex; flex-wrap: wrap; gap: 0.75rem; align-items: end; margin-bottom: 1.5rem; }
form div { flex: 1 1 12rem; }
form a { align-self: center; }
label { display: block; margin-bottom: 0.25rem; font-size: 0.875rem; font-weight: 600; }
input, button {
  min-height: 2.5rem;
  padding: 0 0.75rem;
  border: 1px solid var(--line-strong, GrayText);
  border-radius: 5px;
  background: var(--surface, Field);
  color: inherit;
  font: inherit;
}
input { width: 100%; }
button {
  border-color: var(--brand-solid, ButtonBorder);
  background: var(--brand-solid, ButtonFace);
  color: var(--on-brand, ButtonText);
  font-weight: 600;
  cursor: pointer;
}
a { color: var(--brand-ink, LinkText); text-underline-offset: 0.18em; }
:focus-visible { outline: 2px solid var(--focus, Highlight); outline-offset: 2px; }
article {
  margin: 0 0 1.25rem;
  padding: 1.25rem;
  border: 1px solid var(--line, GrayText);
  border-radius: 5px;
  background: var(--surface, Canvas);
}
dl { margin: 0.5rem 0 1rem; color: var(--ink-muted, inherit); font-size: 0.875rem; }
dl div { display: flex; gap: 0.75rem; }
dt { flex: 0 0 3rem; }
dd { margin: 0; font-variant-numeric: tabular-nums; }
.text { white-space: pre-wrap; }
details { margin-top: 1rem; border-top: 1px solid var(--line, GrayText); padding-top: 0.75rem; }
summary { width: fit-content; cursor: pointer; font-weight: 600; }
/* Mail is designed for a white background. */
iframe { display: block; width: 100%; height: 32rem; margin-top: 0.75rem; border: 1px solid var(--line, GrayText); background: #fff; color-scheme: light; }
.empty { padding: 3rem 1rem; border: 1px dashed var(--line-strong, GrayText); text-align: center; color: var(--ink-muted, inherit); }
.more { color: var(--ink-muted, inherit); }
`
