import { documentStyle } from './document-style.ts'

/** Style sheet of `/mailbox`. */
export const mailboxStyle = `${documentStyle('46rem')}
* { box-sizing: border-box; }
body { overflow-wrap: anywhere; }
h1, h2 { margin: 0; }
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
/* White in both colour schemes, because mail is designed for a white background. */
iframe { display: block; width: 100%; height: 32rem; margin-top: 0.75rem; border: 1px solid var(--line, GrayText); background: #fff; color-scheme: light; }
.empty { padding: 3rem 1rem; border: 1px dashed var(--line-strong, GrayText); text-align: center; color: var(--ink-muted, inherit); }
.more { color: var(--ink-muted, inherit); }
`
