/** Prints JSON with `--json`, otherwise text. */
export function print(asJson: boolean | undefined, value: unknown, words: () => string): void {
  console.log(asJson ? JSON.stringify(value, null, 2) : words());
}
