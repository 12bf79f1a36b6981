/** A guide, or a section of one, that a text leads to: `[Links and clicks](/help/links-and-clicks)`. */
const LINK = /\[([^\]]+)\]\((\/help\/[^)]+)\)/;

/**
 * A text of the catalogue that names guides. Their titles are English. Each opens in a tab of its own:
 * what was typed here stays.
 */
export function LinkedText({ text }: { text: string }) {
  // Of every three pieces the second is a label, and the third its address.
  const pieces = text.split(LINK);
  return pieces.map((piece, i) =>
    i % 3 === 0 ? (
      piece
    ) : i % 3 === 1 ? (
      <a key={i} href={pieces[i + 1]} target="_blank" rel="noopener" hreflang="en" lang="en">
        {piece}
      </a>
    ) : null,
  );
}
