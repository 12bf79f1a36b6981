import type { ComponentChildren } from 'preact';
import './notice.css';
import './status-line.css';

/** What a screen says after a change. Always present, so that screen readers read out what comes into it. */
export function StatusLine({
  kind,
  children,
}: {
  kind: 'good' | 'warn';
  children: ComponentChildren;
}) {
  const isEmpty = [children].flat().every((part) => !part);
  return (
    <div role="status" class="status-line">
      {!isEmpty && (
        <p class="notice" data-kind={kind}>
          {children}
        </p>
      )}
    </div>
  );
}
