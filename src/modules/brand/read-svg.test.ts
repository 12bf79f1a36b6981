import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ImageError } from './image-error.ts';
import { SVG_BYTES_MAX } from './read-image.ts';
import { readSvg } from './read-svg.ts';

const NS = 'xmlns="http://www.w3.org/2000/svg"';
const LINK = 'xmlns:xlink="http://www.w3.org/1999/xlink"';
const svg = (content: string, attributes = '') =>
  `<svg ${NS} ${LINK} viewBox="0 0 10 10" ${attributes}>${content}<path d="M0 0h9"/></svg>`;

describe('the size of an SVG file', () => {
  for (const [attributes, expected] of [
    ['viewBox="0 0 80 20"', [80, 20]],
    ['viewBox="0,0,80.5,20"', [80.5, 20]],
    ['width="120px" height="32"', [120, 32]],
    ['width="100%" height="100%" viewBox="0 0 7 8"', [7, 8]],
  ] as const) {
    test(attributes, () => {
      const { width, height } = readSvg(`<svg ${NS} ${attributes}><path d="M0 0"/></svg>`);
      assert.deepEqual([width, height], expected);
    });
  }
});

describe('an SVG file that is refused', () => {
  const row = (id: string, of: string, href = 'href') =>
    `<g id="${id}">${`<use ${href}="#${of}"/>`.repeat(10)}</g>`;
  for (const [why, input] of [
    ['a DOCTYPE', `<!DOCTYPE svg>${svg('')}`],
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
    ['a size of nothing', `<svg ${NS} viewBox="0 0 0 0"/>`],
    ['an enormous size', `<svg ${NS} width="1e9" height="99999999"><path d="M0 0"/></svg>`],
    ['deep nesting', svg('<g>'.repeat(1_000) + '</g>'.repeat(1_000))],
    ['many elements', svg('<g/>'.repeat(6_000))],
    ['copies of copies', svg(`<circle id="a" r="1"/>${row('b', 'a')}${row('c', 'b')}`)],
    ['copies of copies, as before', svg(row('c', 'b', 'xlink:href') + row('b', 'a', 'xlink:href'))],
    ['a copy of itself', svg('<g id="a"><use href="#a"/></g>')],
  ] as const) {
    test(why, () => {
      assert.throws(() => readSvg(input), ImageError);
    });
  }
});

test('the largest hostile files take CPU time in proportion to their size', () => {
  const fill = (size: number, unit: string) => unit.repeat(Math.floor(size / unit.length));
  const shapes: Record<string, (size: number) => string> = {
    'a class of very many declarations, named very many times': (size) =>
      svg(`<style>.a{${fill(size / 2, 'x:y;')}}</style><g class="${fill(size / 2, 'a ')}"/>`),
    attributes: (size) =>
      svg(`<g ${Array.from({ length: size / 10 }, (_, i) => `a${i}="x"`).join(' ')}/>`),
    'names of namespaces': (size) =>
      svg(`<g ${Array.from({ length: size / 15 }, (_, i) => `xmlns:a${i}="x"`).join(' ')}/>`),
    'numbers in the view box': (size) => `<svg ${NS} viewBox="${fill(size, '1 ')}"/>`,
    'spaces in the width': (size) => `<svg ${NS} width="1${fill(size, ' ')}x"/>`,
    copies: (size) => svg(fill(size / 2, '<use id="a" href="#b"/>') + fill(size / 2, '<!---->')),
  };
  const cpuMs = (text: string) => {
    const before = process.threadCpuUsage();
    try {
      readSvg(text);
    } catch (error) {
      assert.ok(error instanceof ImageError);
    }
    const { user, system } = process.threadCpuUsage(before);
    return (user + system) / 1000;
  };
  for (const [what, make] of Object.entries(shapes)) {
    const [quarter, full] = [SVG_BYTES_MAX / 4, SVG_BYTES_MAX].map((size) =>
      Math.min(...[1, 2, 3].map(() => cpuMs(make(Math.floor(size * 0.9))))),
    );
    // Four times the input takes four times as long if the work is linear, sixteen times if it is quadratic.
    assert.ok(full! < 30 || full! < 9 * quarter!, `${what}: ${quarter} ms, then ${full} ms`);
  }
});
