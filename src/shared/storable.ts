/** Whether both databases store a text unchanged: PostgreSQL cannot store NUL, and neither can store lone surrogates. */
export function isStorable(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed();
}
