import type { ComponentChildren } from 'preact';
import './empty-state.css';

interface EmptyStateProps {
  title: string;
  /** Says what to do. */
  children: ComponentChildren;
  action?: ComponentChildren;
}

export function EmptyState({ title, children, action }: EmptyStateProps) {
  return (
    <div class="empty-state">
      <p class="empty-state-title">{title}</p>
      <p class="muted">{children}</p>
      {action && <div>{action}</div>}
    </div>
  );
}
