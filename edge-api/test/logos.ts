/* Logos as various drawing programs export them. */

const root = (attributes: string, inner: string) =>
  `<svg xmlns="http://www.w3.org/2000/svg"${attributes}>${inner}</svg>`

export const logos = {
  inkscape:
    '<?xml version="1.0" encoding="UTF-8" standalone="no"?>\n<!-- Created with Inkscape (http://www.inkscape.org/) -->\n' +
    root(
      ' width="120mm" height="120mm" viewBox="0 0 120 120" version="1.1" id="svg5" xml:space="preserve"' +
        ' inkscape:version="1.3.2" sodipodi:docname="crest.svg"' +
        ' xmlns:inkscape="http://www.inkscape.org/namespaces/inkscape"' +
        ' xmlns:sodipodi="http://sodipodi.sourceforge.net/DTD/sodipodi-0.dtd" xmlns:svg="http://www.w3.org/2000/svg"',
      '<sodipodi:namedview id="namedview7" pagecolor="#ffffff"><inkscape:grid type="xygrid"/></sodipodi:namedview>' +
        '<defs id="defs2"/><metadata><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"/></metadata>' +
        '<g inkscape:label="Layer 1" inkscape:groupmode="layer" id="layer1" style="display:inline">' +
        '<path style="fill:#0e5b3f;fill-opacity:1;stroke:none;stroke-width:0.264583;stroke-dasharray:none;' +
        '-inkscape-font-specification:\'sans-serif, Normal\';enable-background:new" id="path9"' +
        ' d="m 10,10 h 1.0e2 v 100 l -50,-20.5 -50,20.5 z" sodipodi:nodetypes="ccccc"/>' +
        '<circle style="fill:none;stroke:#d8b45a;stroke-width:2" cx="60" cy="50" r="20" transform="rotate(-2.5,60,50)"/></g>',
    ),
  illustrator:
    '<?xml version="1.0" encoding="utf-8"?>\n<!-- Generator: Adobe Illustrator 27.0.0, SVG Export Plug-In -->\n' +
    '<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd">\n' +
    root(
      ' version="1.1" id="Layer_1" xmlns:xlink="http://www.w3.org/1999/xlink" x="0px" y="0px" viewBox="0 0 100 100"' +
        ' style="enable-background:new 0 0 100 100;" xml:space="preserve"',
      '<g id="Seal" data-name="Seal 1"><polygon fill="#0E5B3F" points="50,5 95,50 50,95 5,50 "/>' +
        '<path fill-rule="evenodd" clip-rule="evenodd" fill="#FFFFFF" d="M50,30c11,0,20,9,20,20s-9,20-20,20S30,61,30,50S39,30,50,30z"/></g>',
    ),
  figma: root(
    ' width="96" height="96" viewBox="0 0 96 96" fill="none"',
    '<rect width="96" height="96" rx="8" fill="url(#paint0_linear_1_2)"/>' +
      '<path d="M20 48a28 28 0 1156 0 28 28 0 01-56 0Z" stroke="white" stroke-opacity="0.8" stroke-width="4" stroke-linejoin="round"/>' +
      '<defs><linearGradient id="paint0_linear_1_2" x1="0" y1="0" x2="96" y2="96" gradientUnits="userSpaceOnUse">' +
      '<stop stop-color="#0E5B3F"/><stop offset="1" stop-color="#D8B45A" stop-opacity="0.5"/></linearGradient></defs>',
  ),
  prefixed:
    '<svg:svg xmlns:svg="http://www.w3.org/2000/svg" viewBox="0 0 10 10"><svg:ellipse cx="5" cy="5" rx="4" ry="3" fill="rgb(14, 91, 63)"/></svg:svg>',
}
