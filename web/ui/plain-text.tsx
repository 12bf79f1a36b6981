import './plain-text.css';

interface PlainTextProps {
  text: string;
  lang?: string | undefined;
}

/** A text that a person wrote: an empty line begins a paragraph, and addresses can be opened. */
export function PlainText({ text, lang }: PlainTextProps) {
  return (
    <div class="plain-text" lang={lang}>
      {text.split(/\n\s*\n/).map((part, i) => (
        <p key={i}>{withLinks(part)}</p>
      ))}
    </div>
  );
}

function withLinks(text: string) {
  return text.split(/(https?:\/\/[^\s<>"]*[^\s<>".,;:!?)])/).map((part, i) =>
    i % 2 === 1 ? (
      <a href={part} rel="noopener noreferrer">
        {part}
      </a>
    ) : (
      part
    ),
  );
}
