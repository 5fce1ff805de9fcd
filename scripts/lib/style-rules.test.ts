import { expect, it } from 'vitest'
import { foreignRules } from './style-rules.mjs'

const OWN_CLASS = '.mfe_admin-1a2b3c4d-page'
const checkBuilt = (code: string) => foreignRules(code, { app: 'mfe-admin', file: 'a.css' })
const checkSource = (code: string) =>
  foreignRules(code, { app: 'mfe-admin', file: 'a.module.css', module: true })

it.each([
  'body{color:red}',
  '*{margin:0}',
  ':root{--ink:red}',
  'html{font-size:9px}',
  '[data-x]{display:none}',
  'h1{color:red}',
  ':where(body){color:red}',
  `:is(body,${OWN_CLASS}){color:red}`,
  '@import "x.css";',
  '@import url(//e.test/x.css) layer(app);',
  '@font-face{font-family:Inter;src:url(x.woff2)}',
  '@keyframes spin{to{rotate:1turn}}',
  '@layer app,ui;',
  `@layer evil{${OWN_CLASS}{color:red}}`,
  `@layer{${OWN_CLASS}{color:red}}`,
  `@layer ui.x{${OWN_CLASS}{color:red}}`,
  '.button{color:red}',
  '.ui-button{color:red}',
  `${OWN_CLASS},body{color:red}`,
  `${OWN_CLASS}{:root:has(&){color:red}}`,
  `${OWN_CLASS}~*{color:red}`,
  `${OWN_CLASS}+div{color:red}`,
  `body:has(${OWN_CLASS}){color:red}`,
  `:not(${OWN_CLASS}){color:red}`,
  `*:not(${OWN_CLASS}) p{color:red}`,
  '@media (width>1px){p{color:red}}',
  '@supports (color:red){@layer app{a{color:red}}}',
  '@container (width>1px){p{color:red}}',
  '@scope (body){p{color:red}}',
  `@scope (body) to (${OWN_CLASS}){:scope{color:red}}`,
  '@scope{p{color:red}}',
  '@property --ink{syntax:"*";inherits:true;initial-value:red}',
  '@page{margin:0}',
  '@page:first{margin:0}',
  '@media print{body{display:none}}',
  '::selection{color:red}',
  '::backdrop{background:red}',
  '::view-transition-old(root){animation:none}',
  '@view-transition{navigation:auto}',
  '@counter-style decimal{system:cyclic;symbols:x}',
  '@font-palette-values --x{font-family:Inter}',
  '@position-try --x{top:0}',
  '@namespace svg url(http://www.w3.org/2000/svg);',
  '.mfe_user-1a2b3c4d-x{color:red}',
  '.shell-1a2b3c4d-x{color:red}',
  '[class*=mfe_admin]{color:red}',
  'dialog{color:red}',
  '::-webkit-scrollbar{width:0}',
  ':fullscreen{color:red}',
  '.mfe_admin{color:red}',
  '@starting-style{body{opacity:0}}',
  '@media print{:root:has([data-letter-print]){color:red}body{display:none}}',
  ':root:has([data-letter-print]){color:red}',
  '@media screen,print{:root:has([data-letter-print]){color:red}}',
  '@font-feature-values Inter{@styleset{a:1}}',
  '@-moz-document url(){body{color:red}}',
  '#root{display:none}',
  '@unknown x{body{color:red}}',
  '@layer app{@layer reset{body{color:red}}}',
  `${OWN_CLASS}{& + *{color:red}}`,
  '@nest body{color:red}',
  `${OWN_CLASS} ~ p a{color:red}`,
  '@custom-media --x (width>1px);',
  '@charset "utf-8";body{color:red}',
  ':host{color:red}',
  ':scope{color:red}',
  '& p{color:red}',
  '@media print{@page{size:A5}}',
  `a${OWN_CLASS}~ b{color:red}`,
])('finds rules that affect other elements: %s', { tags: ['SHIPPING-5'] }, code => {
  expect(checkBuilt(code)).not.toEqual([])
  // The rule is also found next to other rules of the micro-frontend.
  expect(checkBuilt(`${code.startsWith('@import') ? '' : `${OWN_CLASS}{color:red}`}${code}`)).not.toEqual([])
})

it.each([
  `${OWN_CLASS}{color:red}`,
  `${OWN_CLASS} *{color:red}`,
  `${OWN_CLASS}>svg+p{color:red}`,
  `html[data-theme=dark] ${OWN_CLASS}{color:red}`,
  `@media print{${OWN_CLASS} a{color:red}}`,
  `@layer app{${OWN_CLASS}:hover>*+*{color:red}}`,
  '@layer reset,tokens,ui,app;',
  '@keyframes mfe_admin-1a2b3c4d-spin{to{rotate:1turn}}',
  `:is(${OWN_CLASS},.mfe_admin-99887766-y) a{color:red}`,
  `${OWN_CLASS}{&:hover{color:red}a{color:red}& a+b{color:red}&>*{color:red}html &{color:red}}`,
  `${OWN_CLASS}::before{content:"x"}`,
  `${OWN_CLASS}::placeholder{color:red}`,
  `${OWN_CLASS} input::-webkit-search-cancel-button{display:none}`,
  `@scope (${OWN_CLASS}){p{color:red}:scope{color:red}}`,
  `@starting-style{${OWN_CLASS}{opacity:0}}`,
  '@property --mfe_admin-1a2b3c4d-x{syntax:"*";inherits:true}',
  `@container x (width>1px){${OWN_CLASS}{color:red}}`,
  '@page letter{margin:0}',
  `:not(p) ${OWN_CLASS}{color:red}`,
  `${OWN_CLASS}:has(body){color:red}`,
  `${OWN_CLASS}{@media print{a{color:red}}}`,
  `body:has(p) ${OWN_CLASS}{color:red}`,
])('accepts rules that only affect own elements: %s', { tags: ['SHIPPING-5'] }, code => {
  expect(checkBuilt(code)).toEqual([])
})

it.each([
  ':global(body){color:red}',
  ':global(.button){color:red}',
  'body{color:red}',
  ':global{body{color:red}}',
  '.page{color:red}:global(.button) p{color:red}',
  '@layer app{[data-x]{color:red}}',
  '@font-face{font-family:Inter;src:url(x.woff2)}',
])('finds rules that affect other elements in the source of a CSS module: %s', code => {
  expect(checkSource(code)).not.toEqual([])
})

it.each([
  '.page{color:red}',
  '.page :global(.chart) p{color:red}',
  '.a{composes:b}.b{color:red}',
  '@keyframes turn{to{rotate:1turn}}.a{animation:turn 1s}',
  '@layer app{.a{--tone:red;color:var(--tone)}}',
])('accepts rules that only affect own elements in the source of a CSS module: %s', code => {
  expect(checkSource(code)).toEqual([])
})

it('allows the listed rules for the whole page, for print only', () => {
  const whole = ':root:has([data-letter-print])'
  expect(checkBuilt(`@media print{${whole}{margin:0}}`)).toEqual([])
  expect(checkBuilt(`${whole}{margin:0}`)).toEqual([`matches elements of the shell: ${whole}`])
  expect(checkBuilt(`@media print,screen{${whole}{margin:0}}`)).not.toEqual([])
})

it('quotes the selector of a rule in one line, as it was written', () => {
  expect(checkBuilt(`${OWN_CLASS}{color:red}\nbody,\n  p > a {color:red}`)).toEqual([
    'matches elements of the shell: body,p > a',
  ])
})
