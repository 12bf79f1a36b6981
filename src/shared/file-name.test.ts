import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fc } from '../../test/support/seeded-random.ts';
import { fileHeaders, fileNameOf } from './file-name.ts';

test('a name ends as its type does, and shows every character that it has', () => {
  const odd = fc.constantFrom(
    '\u202e',
    '\u200b',
    '\u2028',
    '.',
    '.html',
    '/',
    '\\',
    '"',
    '\r\n',
    '\ud800',
  );
  const name = fc
    .array(fc.oneof(odd, fc.string({ unit: 'binary' })))
    .map((parts) => parts.join(''));
  fc.assert(
    fc.property(name, (given) => {
      const safe = fileNameOf(given, 'application/pdf');
      assert.match(safe, /^[^\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}/\\]+\.pdf$/u);
      assert.equal(fileNameOf(safe, 'application/pdf'), safe);
      assert.match(
        fileHeaders(given, 'application/pdf')['Content-Disposition'],
        /^attachment; filename="[\w .-]+\.pdf"(; filename\*=UTF-8''[\w.~!%-]+)?$/,
      );
    }),
  );
});

test('the ending is that of the content', () => {
  for (const [given, type, name] of [
    ['photo.JPEG', 'image/jpeg', 'photo.jpg'],
    ['invoice.pdf.html', 'application/pdf', 'invoice.pdf.pdf'],
    ['invoice\u202efdp.exe', 'application/pdf', 'invoicefdp.pdf'],
    ['orders.csv', 'text/csv; charset=utf-8', 'orders.csv'],
    ['.htaccess', 'text/plain', 'file.txt'],
  ] as const) {
    assert.equal(fileNameOf(given, type), name);
  }
});
