import type { ComponentChildren } from 'preact';
import { t, type TitledKey } from '../words.ts';
import './empty-state.css';

type EmptyStateProps = {
  action?: ComponentChildren;
  /** It stands for a whole screen, whose heading is its title. */
  isScreen?: boolean;
} & (
  | {
      /** Its messages are `<of>Title` and `<of>Text`. */
      of: TitledKey;
    }
  | {
      title: string;
      /** Says what to do. */
      children: ComponentChildren;
    }
);

export function EmptyState({ action, isScreen = false, ...words }: EmptyStateProps) {
  const Title = isScreen ? 'h1' : 'p';
  return (
    <div class="empty-state">
      <Title class="empty-state-title">{'of' in words ? t(`${words.of}Title`) : words.title}</Title>
      <p class="muted">{'of' in words ? t(`${words.of}Text`) : words.children}</p>
      {action && <div>{action}</div>}
    </div>
  );
}
