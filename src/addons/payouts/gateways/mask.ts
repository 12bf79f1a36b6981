/** The last characters, by which the owner recognises an account: `…4321`. Short texts show fewer. */
export function lastOf(text: string): string {
  return `…${text.slice(text.length < 8 ? -2 : -4)}`;
}
