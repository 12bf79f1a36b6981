import './fitting.css';

/** Large text on one line: smaller where it would not fit, because no number is broken. */
export function Fitting({ text }: { text: string }) {
  return (
    <span class="fitting" style={{ '--characters': text.length }}>
      <span>{text}</span>
    </span>
  );
}
