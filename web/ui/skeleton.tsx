import { t } from '../words.ts';
import './skeleton.css';

/** The place of what is still loading, with the height that it will have, so that nothing jumps. */
export function Skeleton({ lines = 1, height }: { lines?: number; height?: string }) {
  return (
    <div class="skeleton" role="status">
      <span class="visually-hidden">{t('common.loading')}</span>
      {Array.from({ length: lines }, (_, line) => (
        <span key={line} class="skeleton-line" style={height && { blockSize: height }} />
      ))}
    </div>
  );
}
