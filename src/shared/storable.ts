/** Whether both databases store a text unchanged: PostgreSQL has no NUL, and neither has lone surrogates. */
export function isStorable(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed();
}
