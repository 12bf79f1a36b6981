/** The text of a mail without its footer. */
export function mailBody(text: string | undefined): string {
  return (text ?? '').replaceAll('\r\n', '\n').split('\n\n-- \n')[0]!;
}
