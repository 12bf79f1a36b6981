/** The options of a field, a filter or a row of tabs: each value with its label. */
export function optionsOf<const V>(
  values: readonly V[],
  labelOf: (value: V) => string,
): { value: V; label: string }[] {
  return values.map((value) => ({ value, label: labelOf(value) }));
}
