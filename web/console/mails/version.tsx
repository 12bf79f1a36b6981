import type { Words } from './mail-drafts.ts';

interface VersionProps {
  title: string;
  words: Words;
  language: string;
}

/** A text that is not being edited here. */
export function Version({ title, words, language }: VersionProps) {
  return (
    <section class="stack">
      <h3>{title}</h3>
      <div class="mail-version" lang={language} tabIndex={0} role="group" aria-label={title}>
        <strong>{words.subject}</strong>
        {'\n\n'}
        {words.text}
      </div>
    </section>
  );
}
