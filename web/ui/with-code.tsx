/** Shows the parts of a text between backticks as code, such as the names of settings. */
export function WithCode({ text }: { text: string }) {
  return text
    .split(/`([^`]+)`/)
    .map((part, i) => (i % 2 === 1 ? <code key={i}>{part}</code> : part));
}
