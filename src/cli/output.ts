/** JSON for programs, words for people. */
export function print(asJson: boolean | undefined, value: unknown, words: () => string): void {
  console.log(asJson ? JSON.stringify(value, null, 2) : words());
}

/** Columns wide enough for their longest cell. */
export function table(head: string[], rows: string[][]): string {
  const widths = head.map((title, i) => Math.max(title.length, ...rows.map((r) => r[i]!.length)));
  const line = (cells: string[]) =>
    cells
      .map((cell, i) => cell.padEnd(widths[i]!))
      .join('  ')
      .trimEnd();
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)].join('\n');
}
