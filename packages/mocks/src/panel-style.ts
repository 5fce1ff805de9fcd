/** Styles of the panel, with the design system's colours and fonts if the page has them. */
export const panelStyle = `
:host { color-scheme: light dark; font: 400 0.875rem/1.5 var(--font-sans, system-ui, sans-serif); }
* { box-sizing: border-box; font: inherit; }
.bar {
  position: fixed; inset: auto auto 0.75rem 0.75rem; z-index: 2147483000;
  display: flex; align-items: stretch; max-width: calc(100vw - 1.5rem); min-height: 2.25rem;
  color: var(--ink, CanvasText); background: var(--surface, Canvas);
  border: 1px solid var(--line-strong, GrayText); border-radius: 1.125rem;
  box-shadow: 0 2px 10px rgb(0 0 0 / 0.16);
}
.open {
  display: flex; align-items: center; gap: 0.5rem; padding: 0 0.875rem;
  color: inherit; background: transparent; border: 0; border-radius: 1.125rem; cursor: pointer;
}
.who { min-width: 0; }
.who span { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
.who select {
  width: auto; max-width: 15rem; min-height: 0; height: 100%; padding: 0 0.5rem; text-overflow: ellipsis;
  border: 0; border-inline-start: 1px solid var(--line, GrayText); border-radius: 0 1.125rem 1.125rem 0; cursor: pointer;
}
.open[data-changed]::before {
  content: ''; width: 0.5rem; height: 0.5rem; border-radius: 50%; background: var(--warning, Highlight);
}
dialog {
  width: min(40rem, calc(100vw - 1.5rem)); max-height: calc(100dvh - 1.5rem); padding: 0; overflow: auto;
  color: var(--ink, CanvasText); background: var(--surface, Canvas);
  border: 1px solid var(--line, GrayText); border-radius: 0.75rem; box-shadow: 0 12px 40px rgb(0 0 0 / 0.24);
}
dialog::backdrop { background: rgb(0 0 0 / 0.4); }
form { display: grid; gap: 1.25rem; padding: 1.25rem; }
h2 { margin: 0; font-size: 1.125rem; font-weight: 600; }
p { margin: 0.25rem 0 0; color: var(--ink-muted, inherit); }
fieldset { display: grid; gap: 0.5rem; margin: 0; padding: 0; border: 0; min-width: 0; }
legend, .name { padding: 0 0 0.375rem; font-weight: 600; }
.row { display: flex; flex-wrap: wrap; gap: 0.25rem 1.25rem; }
.row label { display: flex; align-items: center; gap: 0.5rem; min-height: 1.75rem; cursor: pointer; }
input[type='radio'] { width: 1.125rem; height: 1.125rem; margin: 0; accent-color: var(--brand-solid, auto); }
.name { display: grid; gap: 0.375rem; padding: 0; }
.name :is(select, input) { font-weight: 400; }
select, button, input[type='number'] { min-height: 2.25rem; border-radius: 0.5rem; }
select, input[type='number'] {
  width: 100%; min-width: 0; padding: 0 0.5rem;
  color: inherit; background: var(--surface, Canvas); border: 1px solid var(--line-strong, GrayText);
}
.call { display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 1fr); gap: 0.5rem; align-items: end; }
[hidden] { display: none; }
ul { display: grid; gap: 0.375rem; margin: 0; padding: 0; list-style: none; }
li {
  display: flex; align-items: center; justify-content: space-between; gap: 0.75rem;
  padding: 0.25rem 0.25rem 0.25rem 0.75rem; background: var(--sunken, transparent); border-radius: 0.5rem;
}
li span { min-width: 0; overflow-wrap: anywhere; }
form button {
  padding: 0 0.875rem; color: inherit; background: transparent;
  border: 1px solid var(--line-strong, GrayText); cursor: pointer;
}
form button[type='submit'] {
  color: var(--on-brand, HighlightText); background: var(--brand-solid, Highlight); border-color: transparent;
}
.actions { display: flex; flex-wrap: wrap; gap: 0.5rem; justify-content: flex-end; }
.actions :first-child { margin-inline-end: auto; }
:focus-visible { outline: 2px solid var(--focus, Highlight); outline-offset: 2px; }
code { display: block; margin-top: 0.25rem; font-family: var(--font-mono, ui-monospace, monospace); font-size: 0.8125rem; overflow-wrap: anywhere; }
@media (width < 30rem) { .call { grid-template-columns: minmax(0, 1fr); } }
a { flex: none; color: var(--brand-ink, LinkText); }
@media print { .bar { display: none; } }
`
