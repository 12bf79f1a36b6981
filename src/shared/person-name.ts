/**
 * A name for comparisons: without case, accents and punctuation, its words sorted, because forms and banks have first
 * and last names in different orders. Empty for a single word, which says too little about a person.
 */
export function foldName(name: string): string {
  const plain = name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .replaceAll('ø', 'o')
    .replaceAll('ł', 'l');
  const words = plain.split(/[^\p{L}\p{N}]+/u).filter(Boolean);
  return words.length < 2 ? '' : words.sort().join(' ');
}
