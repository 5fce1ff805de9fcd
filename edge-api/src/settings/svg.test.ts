import process from 'node:process'
import { describe, expect, it, test } from 'vitest'
import { SVG } from '../../test/pictures.ts'
import { cleanSvg, looksLikeSvg } from './svg.ts'

const wrap = (inner: string, attributes = '') =>
  `<svg xmlns="http://www.w3.org/2000/svg"${attributes}>${inner}</svg>`

describe('an SVG that draws', () => {
  it('is written anew, without declaration and comments', () => {
    expect(cleanSvg(SVG)).toBe(
      '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><title>Seal</title>' +
        '<circle cx="16" cy="16" r="15" fill="#0e5b3f"/><path d="M8 16h16" stroke="white"/></svg>',
    )
  })

  test.each([
    [
      'gradients and parts of itself',
      '<defs><linearGradient id="a"><stop offset="0"/></linearGradient></defs><use href="#a"/><path fill="url(#a)"/>',
    ],
    ['a style sheet', '<style>.a{fill:url(#g)} .b &gt; c{fill:red}</style>'],
    ['text with letters of its own', '<text x="1">Ìmọ́lẹ̀ &amp; Sons &lt;3</text>'],
    ['style attributes', '<path style="fill:#fff;stroke-width:2"/>'],
  ])('keeps %s', (_, inner) => {
    expect(cleanSvg(wrap(inner))).toBe(wrap(inner))
  })

  it('keeps a style sheet that stands in CDATA', () => {
    expect(cleanSvg(wrap('<style><![CDATA[.a > b{fill:red}]]></style>'))).toBe(
      wrap('<style>.a &gt; b{fill:red}</style>'),
    )
  })

  it('reads the older way of referring to itself', () => {
    expect(cleanSvg(wrap('<use xlink:href="#a"/>', ' xmlns:xlink="http://www.w3.org/1999/xlink"'))).toBe(
      wrap('<use href="#a"/>'),
    )
  })

  it('loses what drawing programs keep for themselves', () => {
    const drawn =
      '<sodipodi:namedview id="x"><inkscape:grid type="xy"/></sodipodi:namedview>' +
      '<metadata><rdf:RDF><cc:Work rdf:about=""><dc:title>My file</dc:title></cc:Work></rdf:RDF></metadata>' +
      '<g inkscape:label="Layer 1" data-name="x" filter="url(#f)"><path d="M0 0"/></g>'
    expect(cleanSvg(wrap(drawn))).toBe(wrap('<g><path d="M0 0"/></g>'))
  })
})

describe('an SVG that acts or reaches outside', () => {
  test.each([
    ['a script', wrap('<script>alert(1)</script>')],
    [
      'a script in another namespace',
      wrap('<x:script xmlns:x="http://www.w3.org/2000/svg">alert(1)</x:script>'),
    ],
    ['an event handler', wrap('<path d="M0 0" onclick="alert(1)"/>')],
    ['an event handler on the root', wrap('', ' onload="alert(1)"')],
    ['an event handler inside what is left out', wrap('<metadata><g onload="alert(1)"/></metadata>')],
    ['HTML inside', wrap('<foreignObject><body/></foreignObject>')],
    ['a link', wrap('<a href="https://evil.example"><text>x</text></a>')],
    ['an image from elsewhere', wrap('<image href="https://evil.example/x.png"/>')],
    ['an embedded image', wrap('<image href="data:image/png;base64,AAAA"/>')],
    ['a part of another file', wrap('<use href="https://evil.example/x.svg#a"/>')],
    ['a part of another file, the older way', wrap('<use xlink:href="/x.svg#a"/>')],
    ['a script as an address', wrap('<use href="javascript:alert(1)"/>')],
    ['a script behind entities', wrap('<use href="&#106;avascript:alert(1)"/>')],
    ['a fill from elsewhere', wrap('<path fill="url(https://evil.example/x)"/>')],
    ['a fill from elsewhere in a style', wrap('<path style="fill:url(\'//evil.example/x\')"/>')],
    ['an import', wrap('<style>@import "https://evil.example/x.css";</style>')],
    ['a style sheet that fetches', wrap('<style>.a{background:url(https://evil.example/x)}</style>')],
    ['an address in escapes', wrap('<style>.a{fill:u\\72l(https://evil.example)}</style>')],
    ['an address split by a comment', wrap('<style>.a{fill:u/**/rl(https://evil.example)}</style>')],
    ['a movement', wrap('<path><animate attributeName="d" to="M1 1"/></path>')],
    ['a value that is set later', wrap('<use><set attributeName="href" to="javascript:alert(1)"/></use>')],
    [
      'a document type',
      `<!DOCTYPE svg [<!ENTITY x SYSTEM "file:///etc/passwd">]>${wrap('<text>&x;</text>')}`,
    ],
    ['an entity of its own', wrap('<text>&x;</text>')],
    ['a style sheet beside it', `<?xml-stylesheet href="https://evil.example/x.css"?>${wrap('')}`],
  ])('%s is refused', (_, source) => {
    expect(() => cleanSvg(source)).toThrow(/Please choose/)
  })
})

describe('what is no well-formed SVG', () => {
  test.each([
    ['nothing', ''],
    ['another element', '<html><body/></html>'],
    ['an element that is not closed', '<svg><g></svg>'],
    ['two roots', '<svg/><svg/>'],
    ['an attribute twice', '<svg id="a" id="b"/>'],
    ['an attribute without quotes', '<svg width=1/>'],
    ['a stray bracket', '<svg><</svg>'],
    ['text around it', 'hello <svg/>'],
    ['a broken comment', '<svg><!-- x'],
    ['a broken CDATA', '<svg><style><![CDATA[ x</style></svg>'],
  ])('%s is refused', (_, source) => {
    expect(() => cleanSvg(source)).toThrow('damaged')
  })

  test.each([
    ['attributes', (many: number) => `<svg ${'a="b" '.repeat(many)}`],
    ['open elements', (many: number) => `<svg>${'<g>'.repeat(many)}`],
  ])('of eight times as many %s takes some eight times as long', (_, made) => {
    /** Processor time, in microseconds, of the shortest of five tries: others may hold the machine meanwhile. */
    const taken = (source: string) => {
      const tries = Array.from({ length: 5 }, () => {
        const started = process.cpuUsage()
        expect(() => cleanSvg(source)).toThrow('damaged')
        const { user, system } = process.cpuUsage(started)
        return user + system
      })
      return Math.min(...tries)
    }
    // Where the rest were read anew for each, it would be 64 times.
    expect(taken(made(160_000)) / taken(made(20_000))).toBeLessThan(40)
  })
})

it.each([
  [SVG, true],
  ['\uFEFF <svg>', true],
  ['<!-- a --><svg viewBox="0 0 1 1"/>', true],
  ['<html></html>', false],
  ['PK <svg>', false],
])('%j looks like an SVG: %s', (text, looks) => {
  expect(looksLikeSvg(text)).toBe(looks)
})
