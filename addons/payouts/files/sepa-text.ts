/** Letters that do not decompose into a Latin letter and a mark. */
const letters: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  Æ: 'AE',
  œ: 'oe',
  Œ: 'OE',
  ø: 'o',
  Ø: 'O',
  ł: 'l',
  Ł: 'L',
  đ: 'd',
  Đ: 'D',
  ð: 'd',
  Ð: 'D',
  þ: 'th',
  Þ: 'TH',
  ı: 'i',
  '&': '+',
};

/**
 * Text in the characters that every SEPA bank accepts: Latin letters, digits and a few signs. Accents are dropped, other
 * characters become spaces. Empty if nothing is left, as of a name in another script.
 */
export function sepaText(text: string, maxLength: number): string {
  return text
    .replaceAll(/[^\u0020-\u007e]|&/g, (c) => letters[c] ?? c)
    .normalize('NFKD')
    .replaceAll(/\p{Mark}/gu, '')
    .replaceAll(/[^A-Za-z0-9/?:().,'+ -]/g, ' ')
    .replaceAll(/ {2,}/g, ' ')
    .trim()
    .slice(0, maxLength)
    .trim();
}
