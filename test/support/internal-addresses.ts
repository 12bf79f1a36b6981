import { fc } from './seeded-random.ts';

/** Hosts that no delivery may reach, in notations that parsers accept. */
export const internalHosts = [
  '127.0.0.1',
  '127.1',
  '127.0.1',
  '2130706433',
  '0x7f000001',
  '0x7f.0x0.0x0.0x1',
  '0x7F.1',
  '0177.0.0.1',
  '017700000001',
  '127.0.0.1.',
  '127。0。0。1',
  '１２７.0.0.1',
  '①②⑦.0.0.1',
  '%31%32%37.0.0.1',
  '127.0.0.01',
  '0',
  '0.0.0.0',
  'localhost',
  'LOCALHOST',
  'localhost.',
  'localhost..',
  'a.b.localhost',
  'a.localhost.',
  'ｌｏｃａｌｈｏｓｔ',
  '[::1]',
  '[0:0:0:0:0:0:0:1]',
  '[0000:0000:0000:0000:0000:0000:0000:0001]',
  '[::]',
  '[::ffff:127.0.0.1]',
  '[::ffff:7f00:1]',
  '[::127.0.0.1]',
  '[64:ff9b::127.0.0.1]',
  '[64:ff9b:1::7f00:1]',
  '[2002:7f00:1::]',
  '[2001:0:7f00:1::]',
  '[fe80::1]',
  '[fe80::1%25lo]',
  '[::1%25lo]',
  '[fc00::1]',
  '[fd12:3456::1]',
  '[ff02::1]',
  '[2001:db8::1]',
  '10.0.0.1',
  '172.16.0.1',
  '192.168.0.1',
  '169.254.169.254',
  '0xA9FEA9FE',
  '2852039166',
  '100.64.0.1',
  '192.0.0.1',
  '192.0.2.1',
  '198.18.0.1',
  '198.51.100.1',
  '203.0.113.1',
  '224.0.0.1',
  '240.0.0.1',
  '255.255.255.255',
];

/** URLs that are refused for another reason, most of them with a port of this machine. */
export const oddUrls = (port: number): string[] => [
  `http://127.0.0.1:${port}/`,
  'http://shop.example/',
  `https://user@127.0.0.1:${port}/`,
  'https://user:password@shop.example/',
  'https://@shop.example/',
  'https://:@shop.example/',
  `https://shop.example:443@127.0.0.1:${port}/`,
  `https://127.0.0.1:${port}#@shop.example/`,
  `https://127.0.0.1:${port}\\@shop.example/`,
  `https://shop.example\\@127.0.0.1:${port}/`,
  'https://shop.example/#part',
  'https://shop.example/#',
  `https:127.0.0.1:${port}/`,
  `https:/127.0.0.1:${port}/`,
  `https:///127.0.0.1:${port}/`,
  `//127.0.0.1:${port}/`,
  `\thttps://127.0.0.1:${port}/`,
  `https://127.0.0.1:${port}/\n`,
  `ht\ntps://shop.example/`,
  `https://127.0\t.0.1:${port}/`,
  'https://',
  'https://.',
  'https://shop.example:99999/',
  'https://[::1/',
  'https://a b.example/',
  'ftp://shop.example/',
  'file:///etc/passwd',
  'gopher://127.0.0.1/',
  'javascript:alert(1)',
  'data:text/plain,x',
  'shop.example/hook',
  '',
  `https://shop.example/${'x'.repeat(2_048)}`,
];

/** An internal address, in any notation that a parser accepts. */
export function notation(): fc.Arbitrary<string> {
  const byte = fc.integer({ min: 0, max: 255 });
  const inside = fc.oneof(
    fc.tuple(fc.constant(127), byte, byte, byte),
    fc.tuple(fc.constant(10), byte, byte, byte),
    fc.tuple(fc.constant(192), fc.constant(168), byte, byte),
    fc.tuple(fc.constant(169), fc.constant(254), byte, byte),
    fc.tuple(fc.constant(172), fc.integer({ min: 16, max: 31 }), byte, byte),
    fc.tuple(fc.constant(100), fc.integer({ min: 64, max: 127 }), byte, byte),
  );
  const number = (n: number, base: number) =>
    base === 16 ? `0x${n.toString(16)}` : base === 8 ? `0${n.toString(8)}` : String(n);
  const bases = fc.array(fc.constantFrom(8, 10, 16), { minLength: 4, maxLength: 4 });
  const wide = (text: string) =>
    text.replaceAll(/[0-9.]/g, (c) =>
      c === '.' ? '。' : String.fromCodePoint(0xff10 + Number(c)),
    );
  const hex = (bytes: number[]) => bytes.map((n) => n.toString(16).padStart(2, '0'));
  return fc
    .tuple(inside, bases, fc.integer({ min: 1, max: 4 }), fc.integer({ min: 0, max: 4 }))
    .map(([bytes, base, parts, form]) => {
      const rest = bytes.slice(parts - 1).reduce((sum, n) => sum * 256 + n, 0);
      const numbers = [...bytes.slice(0, parts - 1), rest];
      const dotted = numbers.map((n, i) => number(n, base[i]!)).join('.');
      const [a, b, c, d] = hex(bytes);
      if (form === 1) return `[::ffff:${a}${b}:${c}${d}]`;
      if (form === 2) return `[64:ff9b::${a}${b}:${c}${d}]`;
      if (form === 3) return `${dotted}.`;
      if (form === 4) return wide(bytes.join('.'));
      return dotted;
    });
}
