/** The end of a number, by which its owner knows it: `…4321`. Of a short one less is shown. */
export function lastOf(text: string): string {
  return `…${text.slice(text.length < 8 ? -2 : -4)}`;
}
