const formats = new Map<string, unknown>();

/**
 * Formats of `Intl` are expensive to construct, and a table needs the same one in every row. The key has the kind, the
 * options and the language.
 */
export function keptFormat<F>(key: string, make: () => F): F {
  let format = formats.get(key);
  if (format === undefined) formats.set(key, (format = make()));
  // A key begins with what is formatted, so its format has one type.
  return format as F;
}
