/** `payout-paid` → "Payout paid": the names are words in English, like the console. */
export function titleOf(name: string): string {
  const words = name.replaceAll('-', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}
