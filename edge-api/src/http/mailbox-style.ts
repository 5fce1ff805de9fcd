/** Style sheet of `/mailbox`: the colours of the portal's own tokens, which are not served to this page. */
export const mailboxStyle = `:root {
  color-scheme: light dark;
  --paper: light-dark(oklch(0.977 0.005 150), oklch(0.19 0.012 170));
  --surface: light-dark(oklch(0.998 0.001 150), oklch(0.225 0.013 170));
  --ink: light-dark(oklch(0.235 0.022 172), oklch(0.945 0.008 150));
  --muted: light-dark(oklch(0.455 0.022 172), oklch(0.745 0.014 160));
  --line: light-dark(oklch(0.89 0.009 160), oklch(0.315 0.014 170));
  --line-strong: light-dark(oklch(0.62 0.016 168), oklch(0.56 0.016 168));
  --brand: light-dark(oklch(0.42 0.085 163), oklch(0.8 0.085 163));
  --focus: light-dark(oklch(0.48 0.17 255), oklch(0.82 0.12 235));
}
* { box-sizing: border-box; }
body {
  max-width: 46rem;
  margin: 0 auto;
  padding: 2rem 1rem 4rem;
  background: var(--paper);
  color: var(--ink);
  font: 1rem/1.55 system-ui, sans-serif;
  overflow-wrap: anywhere;
}
h1, h2 { font-family: Georgia, 'Times New Roman', serif; font-weight: 600; line-height: 1.2; }
h1 { margin: 0; font-size: 2rem; }
h2 { margin: 0; font-size: 1.25rem; }
header p { margin: 0.5rem 0 1.25rem; color: var(--muted); }
form { display: flex; flex-wrap: wrap; gap: 0.5rem 0.75rem; align-items: center; margin-bottom: 1.5rem; }
label { font-weight: 600; }
input, button {
  min-height: 2.5rem;
  padding: 0 0.75rem;
  border: 1px solid var(--line-strong);
  border-radius: 5px;
  background: var(--surface);
  color: inherit;
  font: inherit;
}
input { flex: 1 1 14rem; min-width: 0; }
button { border-color: var(--brand); color: var(--brand); font-weight: 600; cursor: pointer; }
a { color: var(--brand); text-underline-offset: 0.18em; }
:focus-visible { outline: 2px solid var(--focus); outline-offset: 2px; }
article {
  margin: 0 0 1.25rem;
  padding: 1.25rem;
  border: 1px solid var(--line);
  border-top: 3px solid var(--brand);
  background: var(--surface);
}
dl { margin: 0.5rem 0 1rem; color: var(--muted); font-size: 0.875rem; }
dl div { display: flex; gap: 0.75rem; }
dt { flex: 0 0 3rem; }
dd { margin: 0; font-variant-numeric: tabular-nums; }
.text { white-space: pre-wrap; }
.empty { padding: 3rem 1rem; border: 1px dashed var(--line-strong); text-align: center; color: var(--muted); }
.more { color: var(--muted); }
`
