/**
 * A name for comparisons: without case, accents and punctuation, its words sorted, because forms and banks have first
 * and last names in different orders. Empty for a single word, which says too little about a person.
 */
export function foldName(name: string): string {
  // Most names are plain, which takes a third of the time.
  const words = IS_ASCII.test(name)
    ? name.toLowerCase().split(/[^a-z0-9]+/)
    : plain(name).split(/[^\p{L}\p{N}]+/u);
  const folded = words.filter(Boolean);
  return folded.length < 2 ? '' : folded.sort().join(' ');
}

const IS_ASCII = /^[\x20-\x7e]*$/;

function plain(name: string): string {
  return name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .replaceAll('ø', 'o')
    .replaceAll('ł', 'l');
}
