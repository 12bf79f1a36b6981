/** Whether every database holds a text as it is: some have no NUL, none has half a character. */
export function isStorable(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed();
}
