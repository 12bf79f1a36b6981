import type { ComponentChildren } from 'preact';
import './empty-state.css';

interface EmptyStateProps {
  title: string;
  /** Says what to do. */
  children: ComponentChildren;
  action?: ComponentChildren;
  /** It stands for a whole screen, whose heading is its title. */
  isScreen?: boolean;
}

export function EmptyState({ title, children, action, isScreen = false }: EmptyStateProps) {
  const Title = isScreen ? 'h1' : 'p';
  return (
    <div class="empty-state">
      <Title class="empty-state-title">{title}</Title>
      <p class="muted">{children}</p>
      {action && <div>{action}</div>}
    </div>
  );
}
