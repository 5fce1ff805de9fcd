/** The card page's style sheet, as a string, so that it is part of the code on every runtime. */
export const checkoutCss = `
:root {
  color-scheme: light dark;
  --page: oklch(0.985 0.003 250); --order: oklch(0.955 0.008 250); --ink: oklch(0.24 0.02 260);
  --soft: oklch(0.47 0.02 260); --line: oklch(0.62 0.02 260); --hair: oklch(0.88 0.01 260);
  --field: oklch(1 0 0); --action: oklch(0.42 0.13 262); --action-over: oklch(0.36 0.13 262);
  --on-action: oklch(0.99 0 0); --bad: oklch(0.48 0.18 25); --bad-soft: oklch(0.95 0.025 25);
  --good: oklch(0.45 0.11 155); --good-soft: oklch(0.94 0.04 155); --wait: oklch(0.45 0.1 70);
  --wait-soft: oklch(0.95 0.045 85); --mode: oklch(0.9 0.07 85); --on-mode: oklch(0.35 0.07 70);
  --mono: ui-monospace, "SF Mono", "Cascadia Mono", "Liberation Mono", monospace;
}
@media (prefers-color-scheme: dark) {
  :root {
    --page: oklch(0.2 0.012 260); --order: oklch(0.165 0.012 260); --ink: oklch(0.95 0.005 260);
    --soft: oklch(0.76 0.015 260); --line: oklch(0.56 0.02 260); --hair: oklch(0.32 0.015 260);
    --field: oklch(0.25 0.014 260); --action: oklch(0.76 0.11 262); --action-over: oklch(0.83 0.09 262);
    --on-action: oklch(0.19 0.04 262); --bad: oklch(0.79 0.12 25); --bad-soft: oklch(0.29 0.06 25);
    --good: oklch(0.82 0.12 155); --good-soft: oklch(0.3 0.05 155); --wait: oklch(0.85 0.1 85);
    --wait-soft: oklch(0.32 0.05 80); --mode: oklch(0.36 0.06 80); --on-mode: oklch(0.92 0.07 85);
  }
}
*, *::before, *::after { box-sizing: border-box; }
body {
  margin: 0; min-height: 100vh; background: var(--page); color: var(--ink);
  font: 400 1rem/1.5 system-ui, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif;
}
p, dl, dd, ul, h1 { margin: 0; padding: 0; }
h1 { font-size: 1.25rem; line-height: 1.3; font-weight: 650; letter-spacing: -0.01em; }
a { color: var(--action); text-underline-offset: 0.15em; }
.mono { font-family: var(--mono); font-variant-numeric: tabular-nums; }
.hidden { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.sheet { display: grid; min-height: 100vh; grid-template-rows: auto 1fr; }
.order { background: var(--order); border-block-end: 1px solid var(--hair); padding: 20px; display: grid; gap: 4px; align-content: start; }
main { padding: 24px 20px 32px; display: grid; gap: 16px; align-content: start; min-width: 0; }
.brand { display: flex; align-items: center; gap: 8px; font-weight: 600; margin-block-end: 12px; }
.icon { width: 18px; height: 18px; fill: none; stroke: currentColor; stroke-width: 2; stroke-linecap: round; }
.mode { font-size: 0.75rem; line-height: 1.6; padding: 0 8px; border-radius: 99px; background: var(--mode); color: var(--on-mode); }
.purpose, .until, .note, .help, .card-used { color: var(--soft); font-size: 0.875rem; }
.amount { font-size: 2rem; line-height: 1.2; font-weight: 650; letter-spacing: -0.02em; font-variant-numeric: tabular-nums; }
.order dl { display: grid; gap: 4px; margin-block: 8px; font-size: 0.875rem; }
.order dl > div { display: grid; grid-template-columns: 5.5rem 1fr; gap: 8px; align-items: baseline; }
.order dt { color: var(--soft); }
.order dd { overflow-wrap: anywhere; }
form { display: grid; gap: 16px; }
.field { display: grid; gap: 4px; align-content: start; min-width: 0; }
.pair { display: grid; gap: 4px 16px; grid-template: repeat(4, auto) / 1fr 1fr; }
.pair .field { grid-row: span 4; grid-template-rows: subgrid; }
.pair label { align-self: end; }
label { font-size: 0.875rem; font-weight: 550; }
input {
  width: 100%; height: 44px; padding: 0 12px; color: inherit; background: var(--field);
  border: 1px solid var(--line); border-radius: 6px; font-size: 1rem;
}
.otp { letter-spacing: 0.4em; font-size: 1.25rem; }
input[aria-invalid] { border-color: var(--bad); box-shadow: inset 0 0 0 1px var(--bad); }
.error { color: var(--bad); font-size: 0.875rem; }
.alert { background: var(--bad-soft); color: var(--bad); border-radius: 6px; padding: 8px 12px; font-size: 0.875rem; }
button {
  min-height: 46px; padding: 8px 16px; border: 1px solid transparent; border-radius: 6px; cursor: pointer;
  background: var(--action); color: var(--on-action); font: inherit; font-weight: 600;
}
button:hover { background: var(--action-over); }
button.quiet { background: none; color: var(--soft); font-weight: 500; min-height: 40px; text-decoration: underline; text-underline-offset: 0.2em; }
button.quiet:hover { color: var(--ink); }
:focus-visible { outline: 3px solid var(--action); outline-offset: 2px; }
.cancel { margin-block-start: -8px; }
details { border-block-start: 1px solid var(--hair); padding-block-start: 12px; font-size: 0.875rem; }
summary { cursor: pointer; font-weight: 550; padding-block: 4px; }
details p { color: var(--soft); margin-block: 4px 8px; }
.cards { list-style: none; }
.cards li { display: grid; grid-template-columns: 1fr auto; gap: 0 12px; padding-block: 6px; border-block-start: 1px solid var(--hair); align-items: center; }
.cards .does { grid-row: 2; color: var(--soft); }
.cards a { grid-row: 1 / 3; grid-column: 2; padding: 6px 4px; }
.result { display: grid; gap: 12px; justify-items: start; }
.result form { justify-self: stretch; margin-block-start: 8px; }
.badge { display: grid; place-items: center; width: 56px; height: 56px; border-radius: 50%; }
.badge svg { width: 30px; height: 30px; fill: none; stroke: currentColor; stroke-width: 2.25; stroke-linecap: round; stroke-linejoin: round; }
.good .badge { background: var(--good-soft); color: var(--good); }
.bad .badge { background: var(--bad-soft); color: var(--bad); }
.wait .badge { background: var(--wait-soft); color: var(--wait); }
@media (min-width: 40rem) {
  .sheet:not(.single) { grid-template-columns: minmax(270px, 5fr) minmax(0, 8fr); grid-template-rows: none; }
  .order { border-block-end: 0; border-inline-end: 1px solid var(--hair); padding: 32px 28px; }
  main { padding: 32px 36px; }
  main > * { max-width: 440px; width: 100%; }
  .order .note { margin-block-start: 12px; }
}
@media (min-width: 68.75rem) {
  .order { padding-inline-start: calc((100vw - 980px) / 2); padding-block-start: 64px; }
  main { padding-block-start: 64px; padding-inline-start: 64px; }
  .sheet:not(.single) { grid-template-columns: 45fr 55fr; }
}
.single main { max-width: 560px; margin-inline: auto; padding-block-start: 48px; }
@media (forced-colors: active) { button, .mode, .badge { border: 1px solid; } }
`
