/** Whether a text is an IBAN whose check digits are right; spaces between groups do not matter. */
export function isIban(text: string): boolean {
  const iban = compactIban(text);
  if (!/^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/.test(iban)) return false;
  // ISO 13616: the first four characters go to the end, letters count from A = 10, and the whole
  // number leaves 1 when it is divided by 97.
  const digits = (iban.slice(4) + iban.slice(0, 4)).replaceAll(/[A-Z]/g, (letter) =>
    String(letter.charCodeAt(0) - 55),
  );
  return BigInt(digits) % 97n === 1n;
}

export function compactIban(text: string): string {
  return text.replaceAll(' ', '').toUpperCase();
}
