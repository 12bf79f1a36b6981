import type { ComponentChildren } from 'preact';
import './notice.css';

interface NoticeProps {
  kind: 'info' | 'good' | 'warn' | 'bad';
  children: ComponentChildren;
}

/** A message about the whole screen. Screen readers read an error at once, and other messages when idle. */
export function Notice({ kind, children }: NoticeProps) {
  return (
    <div class="notice" data-kind={kind} role={kind === 'bad' ? 'alert' : 'status'}>
      {children}
    </div>
  );
}
