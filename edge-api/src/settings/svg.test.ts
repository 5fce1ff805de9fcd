import { readFileSync } from 'node:fs'
import process from 'node:process'
import { describe, expect, it, test } from 'vitest'
import { logos } from '../../test/logos.ts'
import { SVG } from '../../test/pictures.ts'
import { cleanSvg, decodeSvgText, looksLikeSvg } from './svg.ts'

const wrap = (inner: string, attributes = '') =>
  `<svg xmlns="http://www.w3.org/2000/svg"${attributes}>${inner}</svg>`

describe('an SVG of plain shapes', () => {
  it('is rewritten without declaration and comments', () => {
    expect(cleanSvg(SVG)).toBe(
      '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><title>Seal</title>' +
        '<circle cx="16" cy="16" r="15" fill="#0e5b3f"/><path d="M8 16h16" stroke="white"/></svg>',
    )
  })

  test.each([
    [
      'a gradient',
      '<defs><linearGradient id="a"><stop offset="0"/></linearGradient></defs><path fill="url(#a)"/>',
    ],
    ['words that describe it', '<title>Ìmọ́lẹ̀ &amp; Sons &lt;3</title><desc>A crest</desc>'],
    ['an arc whose flags are not separated', '<path d="M8.5.5a1 1 0 012 0A1 1 0 1 0 3-4z"/>'],
    [
      'transforms',
      '<g transform="translate(1,2) rotate(-45) scale(.5)"><rect width="50%" height="2mm"/></g>',
    ],
  ])('keeps %s', (_, inner) => {
    expect(cleanSvg(wrap(inner))).toBe(wrap(inner))
  })

  test.each(Object.entries(logos))(
    'exported by %s is accepted, and rewriting it again changes nothing',
    (_, logo) => {
      const rewritten = cleanSvg(logo)
      expect(cleanSvg(rewritten)).toBe(rewritten)
      expect(rewritten).not.toMatch(/style=|inkscape|sodipodi|xlink|data-|metadata|<!|<\?|svg:/)
    },
  )

  it('shipped with this portal is accepted', () => {
    const favicon = readFileSync(new URL('../../../shell/public/favicon.svg', import.meta.url), 'utf8')
    expect(cleanSvg(favicon)).toContain('stroke="#d8b45a"')
  })

  it('turns style declarations into attributes, which take precedence', () => {
    expect(cleanSvg(wrap('<path fill="red" style="fill:#fff ; stroke-width: 2px;font-family:\'a\'"/>'))).toBe(
      wrap('<path fill="#fff" stroke-width="2px"/>'),
    )
  })

  it('loses the private data of drawing programs', () => {
    const drawn =
      '<e:view xmlns:e="http://sodipodi.sourceforge.net/x"><e:grid type="xy"/></e:view>' +
      '<metadata><title>My file</title></metadata>' +
      '<g xmlns:e="http://inkscape.org/x" e:label="Layer 1" id="x" class="y" data-name="x"><path d="M0 0"/></g>'
    expect(cleanSvg(wrap(drawn))).toBe(wrap('<g><path d="M0 0"/></g>'))
  })

  test.each([
    ['utf-8', new TextEncoder().encode(`\uFEFF${SVG}`)],
    ['utf-16le', new Uint8Array(Buffer.from(`\uFEFF${SVG}`, 'utf16le'))],
    ['utf-16be', new Uint8Array(Buffer.from(`\uFEFF${SVG}`, 'utf16le').swap16())],
  ])('is read in %s', (_, bytes) => {
    expect(cleanSvg(decodeSvgText(bytes) ?? '')).toBe(cleanSvg(SVG))
  })

  it('is not read if it has another encoding', () => {
    expect(decodeSvgText(new Uint8Array(Buffer.from(wrap('<title>é</title>'), 'latin1')))).toBeUndefined()
  })
})

/** Returns ten nested levels, each of which refers to the previous one ten times. */
const nestLevels = (level: (id: string, inner: string) => string, reference: (id: string) => string) =>
  Array.from({ length: 10 }, (_, index) => level(`l${index}`, reference(`l${index - 1}`).repeat(10))).join('')

describe('an SVG that could take long to draw', () => {
  const referenceTo = (name: string) => (id: string) => `<rect width="9" height="9" ${name}="url(#${id})"/>`
  test.each([
    [
      '<use>',
      nestLevels(
        (id, inner) => `<g id="${id}">${inner}</g>`,
        id => `<use href="#${id}"/>`,
      ),
    ],
    [
      '<symbol>',
      nestLevels(
        (id, inner) => `<symbol id="${id}">${inner}</symbol>`,
        id => `<use href="#${id}"/>`,
      ),
    ],
    ['<mask>', nestLevels((id, inner) => `<mask id="${id}">${inner}</mask>`, referenceTo('mask'))],
    ['<pattern>', nestLevels((id, inner) => `<pattern id="${id}">${inner}</pattern>`, referenceTo('fill'))],
    [
      '<clipPath>',
      nestLevels((id, inner) => `<clipPath id="${id}">${inner}</clipPath>`, referenceTo('clip-path')),
    ],
    ['<filter>', '<filter id="f"><feTurbulence numOctaves="99"/></filter>'],
    [
      '<marker>',
      nestLevels((id, inner) => `<marker id="${id}">${inner}</marker>`, referenceTo('marker-mid')),
    ],
    ['the attribute stroke-dasharray', '<path d="M0 0H100000" stroke-dasharray=".0001"/>'],
    ['the style “stroke-dasharray”', '<path d="M0 0H100000" style="stroke-dasharray:.0001"/>'],
    [
      'the attribute xlink:href',
      '<linearGradient xmlns:xlink="http://www.w3.org/1999/xlink" xlink:href="#a"/>',
    ],
    ['the attribute href', '<radialGradient id="a" href="#a"/>'],
    ['an unusual value of the attribute d', '<path d="M0 0L1e9 1"/>'],
    ['an unusual value of the attribute d', '<path d="M0 0L99999999999999999999 1"/>'],
    ['an unusual value of the attribute transform', `<g transform="${'scale(9)'.repeat(21)}"/>`],
    ['an unusual value of the attribute transform', `<g transform="matrix(${'1'.repeat(5000)}"/>`],
    ['an unusual value of the attribute stroke-width', '<path stroke-width="1e30"/>'],
    ['an unusual value of the attribute points', '<polygon points="1,2 3e50,4"/>'],
  ])('is refused for %s, which the error names', { tags: ['QUALITY-37'] }, (what, inner) => {
    expect(() => cleanSvg(wrap(inner))).toThrow(
      `This SVG uses ${what}, which isn't supported. Export it as plain paths, or upload a PNG.`,
    )
  })

  test.each([
    ['too many elements', '<path/>'.repeat(2001)],
    ['groups nested too deeply', `${'<g>'.repeat(17)}${'</g>'.repeat(17)}`],
    ['too many stops', `<linearGradient id="a">${'<stop/>'.repeat(1001)}</linearGradient>`],
    ['too long paths', `<path d="M${'1 '.repeat(24_002)}"/>`],
    ['too long paths in all', '<path d="M0 0H1H2H3H4H5H6H7H8H9H10"/>'.repeat(1500)],
    ['too many numbers without blanks', `<path d="M${'.5'.repeat(24_002)}"/>`],
    ['too many points', `<polyline points="${'1 '.repeat(24_002)}"/>`],
  ])('is refused for %s', { tags: ['QUALITY-54'] }, (_, inner) => {
    expect(() => cleanSvg(wrap(inner))).toThrow('This SVG is too complex.')
  })
})

describe('an SVG that runs code or loads resources', () => {
  test.each([
    ['a script', wrap('<script>alert(1)</script>')],
    [
      'a script in another prefix',
      wrap('<x:script xmlns:x="http://www.w3.org/2000/svg">alert(1)</x:script>'),
    ],
    ['a script of HTML', wrap('<x:script xmlns:x="http://www.w3.org/1999/xhtml">alert(1)</x:script>')],
    [
      'a prefix that is bound twice',
      wrap('<g xmlns:x="a:b"><x:g xmlns:x="http://www.w3.org/2000/svg"><x:use/></x:g></g>'),
    ],
    ['an element without namespace', wrap('<use xmlns="" href="#a"/>')],
    ['an event handler', wrap('<path d="M0 0" onclick="alert(1)"/>')],
    ['an event handler on the root', wrap('', ' onload="alert(1)"')],
    [
      'an event handler inside an element that would be removed',
      wrap('<metadata><g onload="alert(1)"/></metadata>'),
    ],
    ['an element inside one that would be removed', wrap('<e:x xmlns:e="urn:e"><use href="#a"/></e:x>')],
    ['embedded HTML', wrap('<foreignObject><body/></foreignObject>')],
    ['a link', wrap('<a href="https://evil.example"><path/></a>')],
    ['an image from elsewhere', wrap('<image href="https://evil.example/x.png"/>')],
    ['an embedded image', wrap('<image href="data:image/png;base64,AAAA"/>')],
    ['a part of another file', wrap('<use href="https://evil.example/x.svg#a"/>')],
    ['text', wrap('<text>Seal</text>')],
    ['a style sheet', wrap('<style>.a{fill:red}</style>')],
    ['a CSS import', wrap('<style>@import "https://evil.example/x.css";</style>')],
    ['an address behind a CSS string', wrap('<style>.a{x:"/*";fill:url(//evil.example/x);y:"*/"}</style>')],
    [
      'an address behind a CSS string in a style',
      wrap('<path style="fill:&quot;/*&quot;;fill:url(//evil.example);x:&quot;*/&quot;"/>'),
    ],
    ['an animation', wrap('<path><animate attributeName="d" to="M1 1"/></path>')],
    ['an animation of a transform', wrap('<g><animateTransform attributeName="transform"/></g>')],
    ['an attribute set by an animation', wrap('<g><set attributeName="href" to="javascript:alert(1)"/></g>')],
    [
      'declared entities',
      `<!DOCTYPE svg [<!ENTITY x SYSTEM "file:///etc/passwd">]>${wrap('<title>&x;</title>')}`,
    ],
    [
      'an entity bomb',
      `<!DOCTYPE svg [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]>${wrap('<title>&b;</title>')}`,
    ],
    ['an unknown entity', wrap('<title>&x;</title>')],
    ['an XML style sheet', `<?xml-stylesheet href="https://evil.example/x.css"?>${wrap('')}`],
    ['a nested SVG', wrap('<svg/>')],
    ['an unknown element', wrap('<blink/>')],
    ['an unknown attribute', wrap('<path blink="1"/>')],
    ['a shape in a shape', wrap('<path><path/></path>')],
  ])('%s is refused', { tags: ['QUALITY-37', 'STAFF-14'] }, (_, source) => {
    expect(() => cleanSvg(source)).toThrow(/^This SVG (?:uses .+, which isn't supported\.|is damaged\.)/)
  })

  const attributes =
    'd points transform gradientTransform viewBox preserveAspectRatio x y width height x1 y1 cx cy r rx ry fx fy offset ' +
    'fill stroke stop-color color opacity fill-opacity stroke-width stroke-linecap fill-rule display visibility ' +
    'gradientUnits spreadMethod paint-order vector-effect shape-rendering clip-path mask filter marker marker-end ' +
    'href src data style stroke-dasharray'
  const hiddenAddresses = [
    'url(https://evil.example/x)',
    'URL( &quot;//evil.example/x&quot; )',
    'u\\72l(//evil.example)',
    'u/**/rl(//evil.example)',
    '&quot;/*&quot; url(//evil.example) &quot;*/&quot;',
    'url(#a) url(//evil.example)',
    '&#117;rl(//evil.example)',
    'image-set(&quot;//evil.example&quot; 1x)',
    'javascript:alert(1)',
    'var(--a)',
  ]
  test.each(attributes.split(' '))('is refused for an address in %s', name => {
    for (const value of hiddenAddresses) {
      expect(() => cleanSvg(wrap(`<path ${name}="${value}"/>`)), value).toThrow("isn't supported")
      expect(() => cleanSvg(wrap(`<path style="${name}:${value}"/>`)), `style ${value}`).toThrow(
        "isn't supported",
      )
    }
  })
})

describe('an SVG that is not well-formed', () => {
  test.each([
    ['nothing', ''],
    ['another element', '<html><body/></html>'],
    ['a root of another namespace', '<svg xmlns="urn:x"/>'],
    ['an element that is not closed', '<svg><g></svg>'],
    ['two roots', '<svg/><svg/>'],
    ['an attribute twice', '<svg id="a" id="b"/>'],
    ['an attribute without quotes', '<svg width=1/>'],
    ['a prefix without namespace', '<svg><sodipodi:x/></svg>'],
    ['a stray bracket', '<svg><</svg>'],
    ['text around it', 'hello <svg/>'],
    ['a broken comment', '<svg><!-- x'],
    ['a broken CDATA', '<svg><title><![CDATA[ x</title></svg>'],
    ['a control character', '<svg><title>\u0000</title></svg>'],
  ])('%s is refused', { tags: ['QUALITY-37', 'STAFF-14'] }, (_, source) => {
    expect(() => cleanSvg(source)).toThrow('damaged')
  })

  test.each([
    ['attributes', (many: number) => `<svg ${'a="b" '.repeat(many)}`],
    ['open elements', (many: number) => `<svg>${'<g>'.repeat(many)}`],
    ['digits in a path', (many: number) => wrap(`<path d="M${'1'.repeat(many)}"/>`)],
    ['numbers in a path', (many: number) => wrap(`<path d="M${'1-1'.repeat(many)}x"/>`)],
    ['digits in a transform', (many: number) => wrap(`<g transform="scale(${'1'.repeat(many)}"/>`)],
    ['blanks in a colour', (many: number) => wrap(`<g fill="rgb(${' '.repeat(many)}x"/>`)],
    ['declarations', (many: number) => wrap(`<g style="${'fill:red;'.repeat(many)}x"/>`)],
  ])(
    'is checked in linear time: eight times as many %s take about eight times as long',
    (_, makeElements) => {
      /**
       * Returns the CPU time, in microseconds, of the fastest of five runs, because other processes may use the machine at the
       * same time.
       */
      const measureCpuTime = (source: string) => {
        const times = Array.from({ length: 5 }, () => {
          const started = process.cpuUsage()
          expect(() => cleanSvg(source)).toThrow('This SVG')
          const { user, system } = process.cpuUsage(started)
          return user + system
        })
        return Math.min(...times)
      }
      // If the time were quadratic, the ratio would be 64.
      expect(measureCpuTime(makeElements(160_000)) / measureCpuTime(makeElements(20_000))).toBeLessThan(40)
    },
  )
})

it.each([
  [SVG, true],
  ['\uFEFF <svg>', true],
  ['<!-- a --><svg viewBox="0 0 1 1"/>', true],
  ['<s:svg xmlns:s="http://www.w3.org/2000/svg"/>', true],
  ['<html></html>', false],
  ['PK <svg>', false],
])('%j is recognised as SVG: %s', (text, expected) => {
  expect(looksLikeSvg(text)).toBe(expected)
})
