const WORDS_MAX = 200;
const WORD_LENGTH_MAX = 60;

/** The parts of a text that a search compares, in lower case: `maya@shop.example` has `maya`, `shop` and `example`. */
export function wordsIn(text: string): string[] {
  return text
    .toLowerCase()
    .split(/[^\p{L}\p{M}\p{N}]+/u)
    .filter(Boolean)
    .map((word) => [...word].slice(0, WORD_LENGTH_MAX).join(''));
}

/** The distinct words of these texts, sorted. */
export function wordsOf(texts: readonly string[]): string[] {
  return [...new Set(texts.flatMap(wordsIn))].slice(0, WORDS_MAX).sort();
}
